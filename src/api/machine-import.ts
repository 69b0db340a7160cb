import { z } from "zod";
import type { MachineImportStatus } from "../ingest/import/import-status.ts";
import type { MachineImport } from "../ingest/import/machine-import.ts";
import { ParameterError } from "./parameters.ts";
import type { FoundTranscriptsResponse } from "./server-status.ts";

export type MachineImportApi = Pick<MachineImport, "status" | "find" | "run">;

/** Empty: a request cannot choose the files. */
export const importSchema = z.strictObject({}, "must be {}: this route reads the agents' own folders.");

/** Counts the transcripts that can be imported: none if this server may not read them. */
export async function foundTranscripts(transcripts: MachineImportApi | undefined): Promise<FoundTranscriptsResponse> {
  const { files } = (await transcripts?.find()) ?? { files: [] };
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

export const NOT_ALLOWED =
  "This server does not import transcripts, because other machines may reach it. Run `toolmend import` instead.";

/** Starts the import and returns without waiting for its end. */
export function startImport(transcripts: MachineImportApi | undefined): MachineImportStatus {
  if (transcripts === undefined) throw new ParameterError(NOT_ALLOWED, 403);
  void transcripts.run();
  // Set as soon as an import starts.
  return transcripts.status as MachineImportStatus;
}
