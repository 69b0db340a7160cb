import { argumentsOf } from "../call-shape.ts";
import { skipWhitespace } from "../json/read-string.ts";
import { attributesOf } from "../lex/attributes.ts";
import { commentEnd, lexToken } from "../lex/token.ts";
import { cleanName } from "../name.ts";
import { propertySchema } from "../schema.ts";
import { add, addValue, type Draft, doubtsOf, newDraft, unwrapArguments } from "./draft.ts";
import { readJsonArguments } from "./json-arguments.ts";
import { readOne } from "./parameter.ts";
import { type Envelope, MORE, no, type Payload, type Read, type Source } from "./payload.ts";
import {
  ARGUMENTS_ELEMENTS,
  CALL_ELEMENTS,
  isWord,
  KEY_ELEMENTS,
  PARAMETER_ELEMENTS,
  VALUE_ELEMENTS,
  WRAPPERS,
} from "./vocabulary.ts";

/** Attributes of the call itself. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(["name", "id", "tool"]);
/** Text between parameters that is passed over, at most. */
const MAX_JUNK = 64;

/** The parameters of a call whose opener carried the name: markup of any dialect, or one JSON object. */
export const markupArguments: Payload = {
  starts: (_source, _at, envelope) => isWord(envelope.name),
  read: (source, at, envelope) => readParameters(source, at, envelope, envelope.name ?? ""),
};

/** `<tool_call name="f" arguments='{"a": 1}'/>`, or the parameters themselves as attributes. */
function attributeArguments(source: Source, envelope: Envelope, draft: Draft): void {
  const schema = source.tools.schema(draft.name);
  for (const [key, value] of attributesOf(envelope.attributes)) {
    if (OWN_ATTRIBUTES.has(key)) continue;
    const declared = propertySchema(schema, key) !== undefined;
    // A tag with a body has its parameters there.
    if (declared && envelope.selfClosed) addValue(source, draft, key, value, attributesOf(""), envelope, false);
    else if (!declared && ARGUMENTS_ELEMENTS.has(key))
      for (const [inner, one] of Object.entries(argumentsOf(value)?.args ?? {})) add(draft, inner, one);
  }
}

export function readParameters(source: Source, at: number, envelope: Envelope, rawName: string): Read {
  const { text, final } = source;
  const name = cleanName(rawName, source.tools)?.name;
  if (name === undefined) return no(at, "invalid-name");
  const draft = newDraft(name, source.tools.schema(name));
  const finish = (end: number, complete = true): Read => ({
    kind: "done",
    calls: [
      {
        name: rawName,
        args: unwrapArguments(source, draft),
        rawArguments: text.slice(at, end).trim(),
        ...(envelope.id === undefined ? {} : { id: envelope.id }),
        complete,
        ...doubtsOf(draft),
      },
    ],
    end,
    repairs: [...draft.repairs],
  });
  attributeArguments(source, envelope, draft);
  if (envelope.selfClosed) return finish(at);
  let i = at;
  /** Where the last parameter ends. */
  let read = at;
  for (;;) {
    i = skipWhitespace(text, i, text.length);
    if (i >= text.length) {
      if (!final) return MORE;
      // Every pair is complete, so only the closer is lost; without any pair this cannot be decided.
      if (draft.entries.length === 0) return source.eager ? finish(i, false) : no(i, "truncated", name);
      draft.repairs.add("missing-closer");
      return finish(i);
    }
    const c = text[i];
    if (c === "{" && draft.entries.length === 0) return readJsonArguments(source, i, envelope, rawName);
    if (c !== "<" && c !== "]") {
      const junk = text.slice(i, i + MAX_JUNK);
      if (draft.entries.length > 0 && junk.includes("\n") && source.tools.has(firstLine(junk))) {
        // The next call, its tag without brackets too.
        draft.repairs.add("missing-closer");
        return finish(read);
      }
      const next = junk.indexOf("<");
      if (next === -1 && junk.length < MAX_JUNK && !final) return MORE;
      if (next === -1 && junk.length < MAX_JUNK && draft.entries.length > 0) {
        // On the same line it may be the rest of a value that was cut off.
        if (!text.slice(read, i).includes("\n")) draft.ambiguous = true;
        return finish(i);
      }
      if (next === -1 || draft.entries.length === 0) return no(i, "malformed", name);
      // A closer before it may have been part of a value: then this is the rest of the value.
      draft.ambiguous = true;
      i += next;
      continue;
    }
    const remark = commentEnd(text, i, final);
    if (remark === "more") return MORE;
    if (remark !== undefined) {
      i = remark;
      continue;
    }
    const token = lexToken(text, i, final);
    if (token === "more") return MORE;
    if (token === null) {
      // Only text at the truncated end could have been a tag; other text is not a tag, whatever follows.
      const cut = final && lexToken(text, i, false) === "more";
      if (draft.entries.length > 0 && cut && text.length - i < 40) return finish(i);
      return no(i, cut ? "truncated" : "malformed", name);
    }
    if (token.close) {
      if (
        PARAMETER_ELEMENTS.has(token.key) ||
        VALUE_ELEMENTS.has(token.key) ||
        KEY_ELEMENTS.has(token.key) ||
        ARGUMENTS_ELEMENTS.has(token.key)
      ) {
        i = token.end;
        continue;
      }
      const stray =
        token.key !== envelope.key &&
        !CALL_ELEMENTS.has(token.key) &&
        !WRAPPERS.has(token.key) &&
        !token.key.includes("|");
      if (stray && draft.entries.some(([key]) => key.toLowerCase() === token.key)) {
        // The closer of a parameter, written twice.
        i = token.end;
        continue;
      }
      if (token.key !== envelope.key) draft.repairs.add("missing-closer");
      return finish(i);
    }
    const step = readOne(source, token, envelope, draft);
    if (step.kind === "more") return MORE;
    if (step.kind === "stop") {
      if (draft.entries.length === 0 && !token.key.includes("|")) return no(i, "malformed", name);
      draft.repairs.add("missing-closer");
      return finish(i);
    }
    if (step.kind === "open")
      return source.eager
        ? ({ ...finish(text.length, false), repairs: [...draft.repairs, "truncated"] } as Read)
        : no(text.length, "truncated", name, final ? text.length : undefined);
    i = step.end;
    read = i;
  }
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf("\n")).trim().replace(/:$/, "");
}
