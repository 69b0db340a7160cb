/**
 * What the system would not let us do with a file or folder, as a line for people; undefined for every other error.
 * Most often it is the data folder: a file of that name, a disk that cannot be written, somebody else's.
 */
export function refusedPathText(error: unknown): string | undefined {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || path === undefined || !(error instanceof Error)) return undefined;
  const said = message.slice(message.indexOf(": ") + 2, message.lastIndexOf(`, ${syscall}`));
  // Making a folder "already exists" only where something else has its name.
  const why = code === "EEXIST" && syscall === "mkdir" ? "it is no folder" : said;
  return `${path} cannot be used: ${why} (${code}). If it belongs to the data folder, choose another with --data.`;
}
