const LONGEST = 400;
/** Ends and folders that are kept of one path: the nearest. */
const FORMS = 2;

/** Places that say nothing: everybody uses them. */
const EVERYWHERE = new Set(["", ".", "..", "/", "~", "/dev/null", "/tmp", "/dev/stdin", "/dev/stdout", "/dev/stderr"]);

/** A path as others write it too; undefined for what names nothing in particular. `base` is where a relative one starts, if that is known. */
export function normalPath(path: string, base: string): string | undefined {
  if (path.length > LONGEST || path.includes("\n")) return undefined;
  const whole = base === "" || /^[/~]/.test(path) ? path : `${base}/${path}`;
  const parts: string[] = [];
  for (const part of whole.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  const normal = (whole.startsWith("/") ? "/" : "") + parts.join("/");
  return EVERYWHERE.has(normal) ? undefined : normal;
}

/** The ends under which a relative path may mean an absolute one, and the folders it lies in. */
export function pathForms(path: string): { readonly ends: readonly string[]; readonly folders: readonly string[] } {
  const parts = path.split("/").filter((part) => part !== "");
  const absolute = path.startsWith("/");
  const ends: string[] = [];
  const folders: string[] = [];
  for (let n = 1; n <= FORMS && n < parts.length; n += 1) {
    if (absolute) ends.push(parts.slice(-n).join("/"));
    folders.push((absolute ? "/" : "") + parts.slice(0, -n).join("/"));
  }
  return { ends, folders: folders.filter((folder) => !EVERYWHERE.has(folder)) };
}
