import { existsSync } from "node:fs";
import { messageOf } from "../../core/model/errors.ts";
import { type FoundTranscripts, findTranscripts } from "./find-transcripts.ts";
import type { ImportCheckpoints } from "./import-checkpoints.ts";
import { type ImportOptions, type ImportTotals, TranscriptImport } from "./import-files.ts";
import type { MachineImportStatus } from "./import-status.ts";

export interface MachineImportOptions extends Omit<ImportOptions, "onProgress" | "isOver" | "checkpoints"> {
  /** Where the coding agents of this machine keep their transcripts. */
  readonly folders: readonly string[];
  /** Created for each import, because another process may have imported since. */
  readonly createCheckpoints: () => ImportCheckpoints;
}

/** Small, so that reading a transcript does not delay live traffic. */
const CHUNK_BYTES = 64 << 10;

/**
 * Imports the transcripts of this machine's coding agents into a running server. Reads only its own folders; callers
 * cannot name others. One import runs at a time.
 */
export class MachineImport {
  readonly #options: MachineImportOptions;
  #status: MachineImportStatus | undefined;
  #running: Promise<MachineImportStatus> | undefined;
  #finding: Promise<FoundTranscripts> | undefined;
  readonly #listeners = new Set<(status: MachineImportStatus) => void>();
  #isClosed = false;

  constructor(options: MachineImportOptions) {
    this.#options = options;
  }

  /** The running import or the last one; undefined if there was none since the start. */
  get status(): MachineImportStatus | undefined {
    return this.#status;
  }

  /** Finds the transcripts. Concurrent callers share one search. */
  find(): Promise<FoundTranscripts> {
    this.#finding ??= findTranscripts(this.#options.folders.filter((folder) => existsSync(folder))).finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  /** Imports everything that was found, or joins the running import. Never rejects: the status contains the problem. */
  run(onProgress: (status: MachineImportStatus) => void = () => undefined): Promise<MachineImportStatus> {
    this.#listeners.add(onProgress);
    this.#running ??= this.#import().finally(() => {
      this.#running = undefined;
      this.#listeners.clear();
    });
    return this.#running;
  }

  /** Ends a running import; the next one resumes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #import(): Promise<MachineImportStatus> {
    let status: MachineImportStatus = {
      ...{ state: "running", files: 0, files_total: 0, bytes: 0, bytes_total: 0, calls: 0, failed: 0, problem: null },
    };
    this.#status = status;
    const update = (fields: Partial<MachineImportStatus>): void => {
      status = { ...status, ...fields };
      this.#status = status;
      for (const listener of this.#listeners) listener(status);
    };
    try {
      const { files } = await this.find();
      update({ files_total: files.length, bytes_total: files.reduce((sum, { size }) => sum + size, 0) });
      const transcripts = new TranscriptImport({
        chunkBytes: CHUNK_BYTES,
        ...this.#options,
        checkpoints: this.#options.createCheckpoints(),
        isOver: () => this.#isClosed,
        onProgress: (totals) => update(progressOf(totals)),
      });
      update({ ...progressOf(await transcripts.importAll(files)), state: "done" });
    } catch (error) {
      update({ state: "failed", problem: messageOf(error) });
    }
    return status;
  }
}

function progressOf({ files, bytes, calls, failed }: ImportTotals): Partial<MachineImportStatus> {
  return { files, bytes, calls, failed };
}
