import { argumentBlocks, nameElement, nameTag, toolElement } from "./elements.ts";
import {
  callLine,
  functionaryCall,
  headerJson,
  indexedJson,
  lostBracket,
  namedBody,
  nestedEnvelope,
  reactCall,
  recipientJson,
  wordThenNested,
} from "./heads.ts";
import { escapedCalls, jsonCalls, keyedJson, weakJson, weakYaml, yamlCalls } from "./json-calls.ts";
import { bracedCalls, pythonicCalls, weakPythonic } from "./key-values.ts";
import { markupArguments } from "./markup.ts";
import type { Payload } from "./payload.ts";

/** The readers that rows name. */
export const PAYLOADS = {
  json: jsonCalls,
  "keyed-json": keyedJson,
  "weak-json": weakJson,
  markup: markupArguments,
  elements: toolElement,
  named: namedBody,
  "name-element": nameElement,
  "name-tag": nameTag,
  "argument-blocks": argumentBlocks,
  escaped: escapedCalls,
  yaml: yamlCalls,
  "weak-yaml": weakYaml,
  "lost-bracket": lostBracket,
  headed: headerJson,
  recipient: recipientJson,
  indexed: indexedJson,
  pythonic: pythonicCalls,
  "weak-pythonic": weakPythonic,
  braces: bracedCalls,
  "call-line": callLine,
  react: reactCall,
  functionary: functionaryCall,
  nested: nestedEnvelope,
  "word-nested": wordThenNested,
} as const satisfies Readonly<Record<string, Payload>>;

/** The readers a row can name; see docs/formats.md. */
export type PayloadName = keyof typeof PAYLOADS;
