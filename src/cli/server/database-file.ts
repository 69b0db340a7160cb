import { statSync } from "node:fs";

/**
 * Returns a check for a database file that was deleted or replaced while it is open. SQLite does not notice: it keeps writing to the
 * unlinked file, and those records are lost when the process ends.
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
