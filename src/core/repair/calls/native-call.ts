import {
  type ArgumentsPiece,
  type CheckedArguments,
  checkArguments,
  repairName,
  type SchemaNode,
  SnapshotFilter,
  StreamedCall,
} from "../../calls/index.ts";
import { CallIds, NO_ID } from "../call-ids.ts";
import { resolveToolName } from "../resolve-tool-name.ts";
import type { Api, ClientTool, RepairOptions } from "../types.ts";
import { schemaOf } from "./schema-cache.ts";
import type { CallRepair, CallRepairOptions, CallReport, RepairClass } from "./types.ts";

/** Limit for the arguments in a report. */
const MAX_REPORTED_CHARS = 16_384;

/** Shared by all native calls of one response. */
export class CallContext {
  readonly api: Api;
  readonly calls: CallRepairOptions;
  readonly isParallel: boolean;
  readonly #options: RepairOptions;
  readonly #newIds: CallIds;
  readonly #ids = new Set<string>();
  #tools: ReadonlyMap<string, ClientTool> | undefined;

  constructor(api: Api, options: RepairOptions, calls: CallRepairOptions) {
    this.api = api;
    this.calls = calls;
    this.isParallel = options.parallel;
    this.#options = options;
    this.#newIds = new CallIds(api, options);
  }

  get tools(): ReadonlyMap<string, ClientTool> {
    this.#tools ??= new Map(this.#options.tools.map((tool) => [tool.name, tool]));
    return this.#tools;
  }

  /**
   * The id of a new call: the given one, or a generated one if it is missing or another call of this response has it.
   */
  idFor(written: string): string {
    const id = written === "" || this.#ids.has(written) ? this.#newIds.idFor(NO_ID) : written;
    this.#ids.add(id);
    return id;
  }

  /** The declared function that a name refers to. */
  resolve(written: string): ClientTool | undefined {
    const exact = this.tools.get(written);
    if (exact !== undefined) return exact;
    const known = resolveToolName(written, this.tools);
    if (known !== undefined) return known;
    const functions = [...this.tools.values()].filter(
      ({ custom, namespace }) => custom !== true && namespace === undefined,
    );
    const meant = repairName(
      written,
      functions.map(({ name }) => name),
    );
    return meant === undefined ? undefined : this.tools.get(meant);
  }
}

/** The arguments of a repaired leak, checked like those of a native call. */
export function repairedArguments(text: string, tool: ClientTool, calls: CallRepairOptions): string {
  const schema = calls.blocked === undefined && calls.isAllowed(tool.name) ? schemaOf(tool.parameters) : undefined;
  return schema === undefined ? text : checkArguments(text, schema, tool.name, calls.isEnabled).text;
}

/** One native call of a response: the tool its name refers to, and its arguments in pieces. */
export class NativeCall {
  readonly id: string;
  /** The name to send; the written one until it is resolved. */
  name = "";
  readonly #context: CallContext;
  readonly #snapshots = new SnapshotFilter();
  readonly #removesRepetitions: boolean;
  readonly #repairs: CallRepair[] = [];
  #schema: SchemaNode | undefined;
  #streamed: StreamedCall | undefined;
  #checked: CheckedArguments | undefined;
  #before: string | undefined;
  #problem: string | undefined;
  /** Pieces that arrived before the name. */
  #early: { isDecided: boolean; text: string; readonly piece: string }[] = [];
  #isNamed = false;
  #isOver = false;

  constructor(context: CallContext, writtenId: string, isIdRequired = true) {
    this.#context = context;
    this.#removesRepetitions = this.allows("cumulative");
    this.id = isIdRequired ? context.idFor(writtenId) : writtenId;
    if (this.id !== writtenId) this.note("id", "id", writtenId, this.id);
  }

  /** Whether a class of repairs is switched on. */
  allows(fault: RepairClass): boolean {
    return this.#context.calls.isEnabled(fault);
  }

  get isNamed(): boolean {
    return this.#isNamed;
  }

  /** Whether the arguments so far are a complete object. */
  get isComplete(): boolean {
    return this.#snapshots.isComplete;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether any argument text has arrived. */
  hasArguments = false;

  /** Records a repair of the response's structure around the arguments. */
  note(fault: RepairClass, path: string, before?: string, after?: string): void {
    if (this.#repairs.some((repair) => repair.class === fault)) return;
    this.#repairs.push({
      class: fault,
      path,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  }

  /** Resolves the complete name to a tool. `written` is the name in the response. */
  nameAs(written: string, { isFixed = false } = {}): void {
    if (this.#isNamed) return;
    this.#isNamed = true;
    this.name = written;
    const { calls } = this.#context;
    const tool = isFixed ? this.#context.tools.get(written) : this.#context.resolve(written);
    const isUsable = tool !== undefined && tool.custom !== true && calls.isAllowed(tool.name);
    if (tool === undefined) this.#problem = "name is not a declared tool";
    const needsName = isUsable && tool.name !== written && !isFixed && !calls.isRenamedLater(written);
    if (needsName && !this.allows("name")) this.#problem = "name is not a declared tool";
    else if (needsName) {
      this.name = tool.name;
      this.note("name", "name", written, tool.name);
    }
    if (isUsable && this.#problem === undefined) this.#schema = schemaOf(tool.parameters);
    if (this.#schema !== undefined)
      this.#streamed = new StreamedCall(this.#schema, tool?.name ?? written, calls.isEnabled);
    for (const early of this.#early) Object.assign(early, this.#take(early.piece));
    this.#early = [];
  }

  /** Takes a piece of the arguments. The result is updated when the replacement is decided. */
  push(piece: string): ArgumentsPiece {
    if (piece !== "") this.hasArguments = true;
    if (this.#isOver) return { isDecided: true, text: piece };
    if (this.#isNamed) return this.#take(piece);
    const early = { isDecided: false, text: piece, piece };
    this.#early.push(early);
    return early;
  }

  #take(piece: string): ArgumentsPiece {
    const added = this.#removesRepetitions ? this.#snapshots.push(piece) : piece;
    if (added !== piece) this.note("cumulative", "$");
    return this.#streamed?.push(added) ?? { isDecided: true, text: added };
  }

  /** Ends the call, once. Returns arguments that need a separate event. */
  end(isCutOff = false): string {
    if (this.#isOver) return "";
    // A call without a name is left unchanged.
    if (!this.#isNamed) for (const early of this.#early) early.isDecided = true;
    const rest = this.#streamed?.end(isCutOff) ?? "";
    this.#isOver = true;
    this.#checked = this.#streamed?.checked;
    if (this.#checked !== undefined && (this.#checked.kind !== "valid" || this.#repairs.length > 0))
      this.#before = this.#streamed?.written;
    return rest;
  }

  /** Checks complete arguments. Returns the arguments to send. */
  check(text: string): string {
    this.#isOver = true;
    this.#before = text;
    if (this.#schema === undefined) return text;
    this.#checked = checkArguments(text, this.#schema, this.name, this.#context.calls.isEnabled);
    return this.#checked.text;
  }

  /** Leaves complete arguments unchanged, because the response was cut off. */
  leave(text: string): void {
    this.#isOver = true;
    this.#before = text;
  }

  /**
   * The arguments as another event must repeat them; `text` is the event's version. If it contradicts the earlier
   * events, it is checked separately.
   */
  repeated(text: string): string {
    if (this.#schema === undefined || this.#checked === undefined) return text;
    if (text === this.#before || text === this.#streamed?.written) return this.#checked.text;
    return checkArguments(text, this.#schema, this.name, this.#context.calls.isEnabled).text;
  }

  get report(): CallReport | undefined {
    const checked = this.#checked;
    const repairs = [...this.#repairs, ...(checked?.kind === "repaired" ? checked.repairs : [])];
    const [misfit] = checked?.kind === "invalid" ? checked.misfits : [];
    const problem = misfit === undefined ? this.#problem : `${misfit.path} ${misfit.problem}`;
    if (repairs.length === 0 && problem === undefined) return undefined;
    const before = this.#before?.slice(0, MAX_REPORTED_CHARS);
    const after = checked?.text.slice(0, MAX_REPORTED_CHARS);
    const { blocked } = this.#context.calls;
    return {
      result: problem === undefined && blocked === undefined ? "repaired" : "left",
      tool_call_id: this.id,
      tool_name: this.name,
      repairs,
      ...(problem !== undefined && { problem }),
      ...(problem === undefined && blocked !== undefined && { reason: blocked }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && after !== before && { after }),
    };
  }
}
