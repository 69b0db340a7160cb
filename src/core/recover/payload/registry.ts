import type { PayloadName } from "../formats/row.ts";
import { gemmaBraces } from "./braces.ts";
import { toolElement } from "./elements.ts";
import { headerJson, indexedJson, recipientJson } from "./header-json.ts";
import { jsonCalls, keyedJson, weakJson } from "./json-calls.ts";
import { functionaryCall, reactCall } from "./lines.ts";
import { markupArguments } from "./markup.ts";
import { namedBody, nameElement } from "./named.ts";
import { nestedEnvelope, wordThenNested } from "./nested.ts";
import type { Payload } from "./payload.ts";
import { pythonicCalls, weakPythonic } from "./pythonic.ts";

/** The readers that rows name. */
export const PAYLOADS: Readonly<Record<PayloadName, Payload>> = {
  json: jsonCalls,
  "keyed-json": keyedJson,
  "weak-json": weakJson,
  markup: markupArguments,
  elements: toolElement,
  named: namedBody,
  "name-element": nameElement,
  headed: headerJson,
  recipient: recipientJson,
  indexed: indexedJson,
  pythonic: pythonicCalls,
  "weak-pythonic": weakPythonic,
  braces: gemmaBraces,
  react: reactCall,
  functionary: functionaryCall,
  nested: nestedEnvelope,
  "word-nested": wordThenNested,
};
