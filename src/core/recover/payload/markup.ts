import { jsonAt } from "../../json/read-json.ts";
import { objectOf } from "../../json/values.ts";
import { propertyOf, typesOf } from "../../schema/lookup.ts";
import { Text } from "../../text/cursor.ts";
import { argumentsOf } from "../call-shape.ts";
import { attributesOf, commentEnd, isCutToken, isNameChar, originalCase, type Token, tokenAt } from "../lex/token.ts";
import { cleanName } from "../tools.ts";
import { Draft } from "./draft.ts";
import { readJsonArguments } from "./json-calls.ts";
import { called, type Envelope, no, type Payload, type Read, type Source } from "./payload.ts";
import {
  ARGUMENTS_ELEMENTS,
  damagedBodyEnd,
  type ElementRead,
  isBoundary,
  KEY_ELEMENTS,
  nextCloser,
  type OpenElement,
  PARAMETER_ELEMENTS,
  readElement,
  tagsFrom,
  VALUE_ELEMENTS,
} from "./tree.ts";

/** Attributes of the call itself. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(["name", "id", "tool", "function"]);
/** Text between parameters that is passed over, at most. */
const MAX_JUNK = 64;
const MAX_NAME = 128;
const MAX_LOOSE_NAME = 256;

/** The parameters of a call whose opener carried the name: markup of any dialect, or one JSON object. */
export const markupArguments: Payload = (source, at, envelope) => {
  const { name = "" } = envelope;
  const isName = name !== "" && name.length <= MAX_LOOSE_NAME && !name.includes("\n");
  return isName ? readParameters(source, at, envelope, name) : undefined;
};

export function readParameters(source: Source, at: number, envelope: Envelope, rawName: string): Read {
  const name = cleanName(rawName, source.tools)?.name;
  if (name === undefined) return no(at, "invalid-name");
  return new CallReader(source, at, envelope, rawName, name).read();
}

/** `stop`: the call ends before this tag. `cut`: the text ends in it. A number: where reading continues. */
type Step = number | "stop" | "cut";

/** Reads the elements of one call and maps them to its arguments. */
class CallReader {
  private i: number;
  /** Where the last parameter ends. */
  private end: number;
  /** An object with all arguments was read, even if it is empty. */
  private isStated = false;
  /** The key whose value comes next. */
  private key: string | undefined;
  /** Where the data of a value ends that does not end itself. */
  private cutAt: number | undefined;
  private readonly source: Source;
  private readonly from: number;
  private readonly envelope: Envelope;
  private readonly rawName: string;
  private readonly draft: Draft;

  constructor(source: Source, at: number, envelope: Envelope, rawName: string, name: string) {
    this.source = source;
    this.from = at;
    this.i = at;
    this.end = at;
    this.envelope = envelope;
    this.rawName = rawName;
    this.draft = new Draft(name, source.tools.schema(name), envelope.entities);
  }

  private get isEmpty(): boolean {
    return this.draft.values.size === 0;
  }

  read(): Read {
    const { source, envelope } = this;
    this.readAttributes();
    if (envelope.selfClosed) return this.finish(this.from);
    for (;;) {
      this.i = source.skipBlanks(this.i);
      const c = source.at(this.i);
      if (c === "") return this.readEnd();
      if (c === "{" && this.isEmpty) return readJsonArguments(source, this.i, envelope, this.rawName);
      // The end of a tag that lost its bracket: its parameters came instead of attributes.
      if (!this.isEmpty && source.startsWith("/>", this.i)) return this.finishUnclosed(this.i + 2);
      const read = c === "<" || c === "]" ? this.readTag() : this.readJunk();
      if (read !== undefined) return read;
    }
  }

  private finish(end: number, complete = true): Read {
    const { draft, envelope } = this;
    const raw = this.source.text.slice(this.from, end).trim();
    const repairs = [...draft.repairs];
    return called(this.rawName, objectOf(draft.values), raw, end, {
      id: envelope.id,
      complete,
      doubts: draft.doubts(),
      repairs,
    });
  }

  private finishUnclosed(end: number): Read {
    this.draft.repairs.add("missing-closer");
    return this.finish(end);
  }

  private refuse(reason: "malformed" | "truncated", dataEnd?: number): Read {
    return no(dataEnd ?? this.i, reason, this.draft.name, dataEnd);
  }

  /** `<tool_call name="f" arguments='{"a": 1}'/>`, or the parameters themselves as attributes. */
  private readAttributes(): void {
    const { draft, envelope } = this;
    for (const [key, value] of attributesOf(envelope.attributes)) {
      if (OWN_ATTRIBUTES.has(key)) continue;
      const isDeclared = draft.declares(key);
      // A tag with a body has its parameters there.
      if (isDeclared && envelope.selfClosed) draft.addText(key, value);
      else if (!isDeclared && ARGUMENTS_ELEMENTS.has(key))
        for (const [inner, one] of Object.entries(argumentsOf(value)?.args ?? {})) draft.add(inner, one);
    }
  }

  /** The text ended. If every parameter is complete, only the closer is lost; without any this cannot be decided. */
  private readEnd(): Read {
    if (this.key !== undefined) return this.cutOff();
    if (!this.isEmpty || this.isStated) return this.finishUnclosed(this.i);
    return this.source.reading.eager ? this.finish(this.i, false) : this.refuse("truncated");
  }

  /** The text, or the wrapper around the call, ended inside a parameter. */
  private cutOff(): Read {
    const { length, reading } = this.source;
    const end = this.cutAt ?? length;
    if (!reading.eager) return this.refuse("truncated", end);
    this.draft.repairs.add("truncated");
    return this.finish(end, false);
  }

  /** Text between parameters. */
  private readJunk(): Read | undefined {
    const { source, draft, i } = this;
    this.key = undefined;
    if (this.readClosedKey()) return undefined;
    if (this.isEmpty) return this.refuse("malformed");
    const end = source.skipWhile(i, MAX_JUNK, (c) => c !== 60);
    // The next call, its tag without brackets too.
    if (isToolLine(source, i)) return this.finishUnclosed(this.end);
    if (end - i >= MAX_JUNK) return this.refuse("malformed");
    if (source.isEnd(end)) {
      // On the same line it may be the rest of a value that was cut off.
      if (!source.text.slice(this.end, i).includes("\n")) draft.isAmbiguous = true;
      return this.finish(i);
    }
    // A closer before it may have been part of a value: then this is the rest of the value.
    draft.isAmbiguous = true;
    this.i = end;
    return undefined;
  }

  /** `a</arg_key>`: a declared key that lost its opening tag. Returns whether it is one. */
  private readClosedKey(): boolean {
    const { source, draft } = this;
    const end = source.skipWhile(this.i, MAX_NAME, isNameChar);
    const key = source.text.slice(this.i, end);
    const isNew = source.at(end) === "<" && draft.declares(key) && !draft.values.has(key);
    const closer = isNew ? tokenAt(source, end) : null;
    if (closer?.close !== true || !KEY_ELEMENTS.has(closer.key)) return false;
    this.key = key;
    draft.unstated.add(key);
    this.i = closer.end;
    return true;
  }

  private readTag(): Read | undefined {
    const { source, i } = this;
    const comment = commentEnd(source, i);
    if (comment !== undefined) {
      this.i = comment;
      return undefined;
    }
    const token = tokenAt(source, i);
    if (token === null) {
      // Only text at the truncated end could have been a tag; other text is not a tag, whatever follows.
      const isCut = isCutToken(source, i);
      if (!this.isEmpty && isCut && source.length - i < 40) return this.finish(i);
      return this.refuse(isCut ? "truncated" : "malformed");
    }
    // Directly behind a key, the closer of a value was meant as its opener.
    const opensValue = this.key !== undefined && VALUE_ELEMENTS.has(token.key);
    if (token.close && !opensValue) return this.readCloser(token);
    const step = this.readOpener(token);
    // A second name, which need not be the same.
    if (step === "stop" && this.isEmpty && token.key === "tool_name")
      return no(i, "ambiguous", this.draft.name, damagedBodyEnd(source, i, this.envelope));
    if (step === "stop")
      return this.isEmpty && !token.key.includes("|") ? this.refuse("malformed") : this.finishUnclosed(i);
    if (step === "cut") return this.cutOff();
    this.i = step;
    this.end = step;
    return undefined;
  }

  private readCloser({ key, end }: Token): Read | undefined {
    const { draft, envelope } = this;
    const isPart = PARAMETER_ELEMENTS.has(key) || VALUE_ELEMENTS.has(key) || KEY_ELEMENTS.has(key);
    const isStray = key !== envelope.key && !isBoundary(key) && !key.includes("|");
    // The closer of a parameter, written twice.
    const isDoubled = isStray && [...draft.values.keys()].some((name) => name.toLowerCase() === key);
    if (isPart || ARGUMENTS_ELEMENTS.has(key) || isDoubled) {
      this.i = end;
      return undefined;
    }
    return key === envelope.key ? this.finish(this.i) : this.finishUnclosed(this.i);
  }

  /** Reads the parameter that a tag opens. */
  private readOpener(token: Token): Step {
    const { draft, source } = this;
    const { key } = token;
    const name = this.key ?? "";
    this.key = undefined;
    if (KEY_ELEMENTS.has(key)) return this.readKey(token);
    if (VALUE_ELEMENTS.has(key)) return this.readValue(token, name);
    if (PARAMETER_ELEMENTS.has(key)) return this.readParameter(token);
    if (ARGUMENTS_ELEMENTS.has(key) && !draft.declares(key)) return this.readArguments(token);
    const isFrame = key.includes("|") || source.formats.plainClosers.has(key);
    if (isFrame || isBoundary(key) || (key === "tool_name" && !draft.declares(key))) return "stop";
    // Another tool's own tag, where no parameter is called so: the next call.
    const next = originalCase(source.text, token);
    const isNextCall = !this.isEmpty && draft.schema !== undefined && source.tools.has(next) && !draft.declares(next);
    return isNextCall ? "stop" : this.readNamedElement(token);
  }

  /** `<parameter=a>1</parameter>`, `<parameter name="a">1</parameter>` */
  private readParameter(token: Token): Step {
    const { draft } = this;
    const attributes = attributesOf(token.attributes);
    const key = token.value ?? (attributes.get("name") ?? attributes.get("key"))?.trim();
    if (key === undefined) return this.readUnnamed(token);
    const isText = /^(?:true|string)$/.test(attributes.get("string") ?? attributes.get("type") ?? "");
    if (token.self) {
      draft.addText(key, attributes.get("value") ?? "", { isText });
      return token.end;
    }
    const isDeclared = (other: Token): boolean =>
      draft.schema === undefined || draft.declares(other.value ?? attributesOf(other.attributes).get("name") ?? "");
    const read = this.readElement(token, "parameter", (other, startsLine) => startsLine || isDeclared(other));
    return this.take(key, read, (raw) => draft.addText(key, raw, { isText, trimsLines: token.value !== undefined }));
  }

  /** Takes the value of an element. Without its own closer, an empty value does not count. */
  private take(key: string, read: ElementRead, add: (raw: string) => void): Step {
    const { draft } = this;
    const isUnclosed = !read.isClosed && !read.isCut;
    if (isUnclosed && read.raw.trim() === "") draft.unstated.add(key);
    else add(isUnclosed ? withoutWrongCloser(read.raw) : read.raw);
    if (isUnclosed) draft.repairs.add("missing-closer");
    return read.isCut ? "cut" : read.end;
  }

  /** A parameter without a name in its tag: `<parameter>a</parameter>1`, or an element that is called so. */
  private readUnnamed(token: Token): Step {
    const { draft, source, envelope } = this;
    const step = this.readNameThenValue(token);
    if (step !== "stop" || !source.tools.has(draft.name)) return step;
    // In a tag named after the tool, and where the tool declares it, this is the name of the parameter.
    if (envelope.key !== draft.name.toLowerCase() && !draft.declares(token.key)) draft.isAmbiguous = true;
    return this.readNamedElement(token);
  }

  /** `<parameter>a</parameter>1`: some models close the tag after the name. */
  private readNameThenValue(token: Token): Step {
    const { source, draft } = this;
    const closer = nextCloser(source, token.end);
    if (closer === null) return "stop";
    // In a tag named after the tool an element between elements is a parameter called so.
    const behind = source.skipBlanks(closer.end);
    if (this.envelope.key === draft.name.toLowerCase() && source.at(behind) === "<") return "stop";
    const next = nextStructure(source, closer.end);
    if (next === -1) return "cut";
    const key = source.text.slice(token.end, closer.start).trim();
    const value = source.text.slice(closer.end, next).trim();
    if (value === "") return "stop";
    if (/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key)) draft.addText(key, value);
    else draft.isAmbiguous = true;
    return next;
  }

  /** `<arg_key>a</arg_key>`: its value is the next element. */
  private readKey(token: Token): Step {
    const read = this.readPart(token);
    if (read.isCut) return "cut";
    this.key = withoutDoubledTag(read.raw, token.key).trim();
    this.draft.unstated.add(this.key);
    return read.end;
  }

  /**
   * `<arg_value>1</arg_value>`. Without a key, or with a key that holds markup because two of them ran together, it is
   * read, so that the call ends where it does, and the call is refused.
   */
  private readValue(token: Token, name: string): Step {
    const { draft } = this;
    const read = this.readPart(token);
    if (name.includes("<") || name === "") {
      draft.isAmbiguous = true;
      return read.isCut ? "cut" : read.end;
    }
    // Without its own closer the value runs up to the line of the next one.
    const trimsLines = !read.isClosed && !read.isCut;
    return this.take(name, read, (raw) => draft.addText(name, withoutDoubledTag(raw, token.key), { trimsLines }));
  }

  private readPart(token: Token): ElementRead {
    return this.readElement(token, "part", (_, startsLine) => startsLine);
  }

  private readElement(token: Token, kind: OpenElement["kind"], isSibling: OpenElement["isSibling"]): ElementRead {
    const { source, envelope } = this;
    const { key, skin, end } = token;
    const followsWord = (at: number): boolean => kind === "element" && isToolLine(source, at);
    const read = readElement(source, end, { kind, key, skin, parent: envelope.key, isSibling, followsWord });
    if (read.isCut) this.cutAt = read.end;
    return read;
  }

  /** `<arguments>{…}</arguments>`, or the same around parameters, which then simply follow. */
  private readArguments(token: Token): Step {
    const { source, draft } = this;
    const at = source.skipBlanks(token.end);
    if (source.isEnd(at)) return "cut";
    if (source.at(at) !== "{") return token.end;
    const read = jsonAt(source, at);
    if (read.kind === "open") return "cut";
    const args = read.kind === "value" ? argumentsOf(read.value) : undefined;
    if (read.kind !== "value" || args === undefined) return "stop";
    for (const repair of read.repairs) draft.repairs.add(repair);
    draft.isAmbiguous ||= read.isContradictory;
    for (const [key, value] of Object.entries(args.args)) draft.add(key, value);
    this.isStated = true;
    return read.end;
  }

  /** MiniMax M3, Cline and others: the element is named after the parameter. */
  private readNamedElement(token: Token): Step {
    const { source, draft } = this;
    const key = originalCase(source.text, token);
    if (token.self) {
      draft.addText(key, "");
      return token.end;
    }
    const read = this.readElement(token, "element", (other, startsLine) => {
      // In the middle of a line only a parameter that is still to come can have begun.
      const sibling = originalCase(source.text, other);
      return (startsLine || !draft.values.has(sibling)) && draft.declares(sibling);
    });
    return this.take(key, read, (written) => this.addElement(key, token.key, written, read.isClosed));
  }

  private addElement(key: string, tagKey: string, written: string, isClosed: boolean): void {
    const { draft } = this;
    const types: ReadonlySet<string> = typesOf(propertyOf(draft.schema, key));
    const raw = types.has("object") || types.has("array") ? written : withoutDoubledTag(written, tagKey);
    // An opener too many is passed over. With its own closer it may also be meant literally.
    if (raw !== written && isClosed) draft.isAmbiguous = true;
    draft.addText(key, raw, { trimsLines: /^\r?\n/.test(raw), isNested: true });
  }
}

/** `<arg_value><arg_value>1</arg_value></arg_value>`: the inside of an element whose whole content is the same element. */
function withoutDoubledTag(raw: string, key: string): string {
  const text = raw.trim();
  const source = new Text(text, true);
  const open = text[0] === "<" ? tokenAt(source, 0) : null;
  if (open === null || open.close || open.self || open.key !== key) return raw;
  const at = text.lastIndexOf("</");
  const close = at < open.end ? null : tokenAt(source, at);
  if (close === null || close.key !== key || close.end < text.length) return raw;
  const inner = text.slice(open.end, at);
  return inner.toLowerCase().includes(`${key}>`) ? raw : inner;
}

/** The next tag of the dialect's own, -1 when the text ends without one. */
function nextStructure(source: Source, from: number): number {
  for (const { key, start } of tagsFrom(source, from)) if (PARAMETER_ELEMENTS.has(key) || isBoundary(key)) return start;
  source.isEnd(source.length);
  return -1;
}

/**
 * A value without its own closer: the blanks before what ended it are layout, and so is a closer at its end that
 * nothing in it has opened (`<city>Oslo</ctiy>`).
 */
function withoutWrongCloser(raw: string): string {
  const text = raw.trimEnd();
  const at = text.lastIndexOf("</");
  const closer = at === -1 || text.length - at > 80 ? null : tokenAt(new Text(text, true), at);
  if (closer === null || closer.end < text.length) return text;
  return text.toLowerCase().includes(`<${closer.key}`) ? text : text.slice(0, at);
}

/** A declared tool's name alone on its line: the next call, its tag without brackets. */
function isToolLine(source: Source, at: number): boolean {
  const { tools } = source;
  const end = source.skipWhile(at, MAX_NAME, isNameChar);
  if (!tools.has(source.text.slice(at, end))) return false;
  const colon = source.at(end) === ":" ? end + 1 : end;
  return source.at(source.skipWhile(colon, MAX_NAME, (c) => c === 32 || c === 9 || c === 13)) === "\n";
}
