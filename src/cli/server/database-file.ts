import { statSync } from "node:fs";

/**
 * Notices that the file of an open database was deleted or replaced. The database does not: it writes on into a file that has no name any
 * more, and everything it takes is lost with the process.
 */
export function watchDatabaseFile(path: string): () => string | undefined {
  const opened = identityOf(path);
  return () => {
    const now = identityOf(path);
    if (now === opened) return undefined;
    return `${path} was ${now === undefined ? "deleted" : "replaced"} while the server runs; restart it`;
  };
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
}
