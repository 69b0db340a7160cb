// Replaces what identifies the machine: scratch and cache folders, host name, user, terminal colors.
import { hostname } from "node:os";
import { basename } from "node:path";
import type { Scratch } from "./run.ts";

const PROJECTS = ["/home/dev/project", "/workspace/app", "/home/dev/code/service", "/srv/build/checkout"];

const ESCAPE = String.fromCharCode(27);
const COLORS = new RegExp(`${ESCAPE}\\[[0-9;?]{0,16}[A-Za-z]`, "g");

export function projectFolder(seed: number): string {
  return PROJECTS[seed % PROJECTS.length] as string;
}

export function scrub(text: string, scratch: Scratch, cache: string, seed: number): string {
  const project = projectFolder(seed);
  const temporary = scratch.root.split("/").at(-1) as string;
  return (
    text
      .replace(COLORS, "")
      .replaceAll(`/private${scratch.project}`, project)
      .replaceAll(scratch.project, project)
      .replaceAll(scratch.home, "/home/dev")
      .replaceAll(scratch.root, "/tmp")
      .replaceAll(temporary, "tmp")
      .replaceAll(`${cache}/npm`, "/usr/local/lib")
      .replaceAll(cache, "/home/dev/.cache")
      // Some programs print the folder relative to the project.
      .replaceAll(`${basename(cache)}/npm`, "usr/local/lib")
      .replaceAll(hostname(), "devbox")
      .replaceAll("\r\n", "\n")
  );
}
