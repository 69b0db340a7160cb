import { CONTAINERS, type Container, PLACEHOLDERS, placeholdersIn, THOUGHTS } from "./containers.ts";
import { FRAMES, type Frame, INTENTIONS } from "./frames.ts";
import { LEAK_FORMATS } from "./leak-formats.ts";
import { type Arguments, type CaseSpace, coordinates, type Leak, pick, type SafetyCase } from "./safety-case.ts";

/** One way to mention a call: its container, its frame, and whether its values are placeholders. */
interface Mention {
  readonly container: Container;
  readonly frame: Frame;
  readonly placeholder?: string;
}

/** Frames that already announce documentation: the usual place of placeholders. */
const TEMPLATE_FRAMES: readonly Frame[] = [
  ...FRAMES.filter(({ id }) => /^(documentation|example|shape|tutorial)/.test(id)),
  { id: "placeholder: fill in", before: "Fill in your own values:", after: "" },
  { id: "placeholder: template", before: "The template is", after: "and you replace the value." },
];

/**
 * Combining all frames with all containers would be repetitive: a frame that is understood in one paragraph is
 * understood in the next. So every frame is tried in every bare container, and every container with frames that differ
 * from leak to leak.
 */
const FRAMES_PER_CONTAINER = 8;

/** Only the sentence shows that the call is a mention. */
const BARE = CONTAINERS.filter(({ family }) => family === "sentence" || family === "own line");

/** Unclosed reasoning may contain an intended call: only clear mentions are tried in it. */
const CLOSED_THOUGHTS = THOUGHTS.filter(({ id }) => id !== "think never closed");

function mentionAt(index: number, leakIndex: number): Mention {
  const framed = BARE.length * FRAMES.length;
  if (index < framed) {
    return { container: pick(BARE, index), frame: pick(FRAMES, Math.floor(index / BARE.length)) };
  }
  const contained = index - framed;
  if (contained < CONTAINERS.length * FRAMES_PER_CONTAINER) {
    return { container: pick(CONTAINERS, contained), frame: pick(FRAMES, contained * 5 + leakIndex) };
  }
  const thought = contained - CONTAINERS.length * FRAMES_PER_CONTAINER;
  if (thought < CLOSED_THOUGHTS.length) {
    return { container: pick(CLOSED_THOUGHTS, thought), frame: pick(INTENTIONS, thought + leakIndex) };
  }
  const template = thought - CLOSED_THOUGHTS.length;
  return {
    container: pick(BARE, template + leakIndex),
    frame: pick(TEMPLATE_FRAMES, template + leakIndex),
    placeholder: pick(PLACEHOLDERS, template),
  };
}

const MENTIONS_PER_LEAK =
  BARE.length * FRAMES.length + CONTAINERS.length * FRAMES_PER_CONTAINER + CLOSED_THOUGHTS.length + PLACEHOLDERS.length;

/** The call as it is mentioned. Undefined when it cannot be written with a placeholder. */
function callText(leak: Leak, placeholder: string | undefined): string | undefined {
  if (placeholder === undefined) return leak.text;
  const format = LEAK_FORMATS.find(({ id }) => id === leak.format);
  if (format === undefined || leak.fixture === undefined) return undefined;
  const values = placeholdersIn(leak.fixture.arguments, placeholder) as Arguments;
  return format.render([{ name: leak.fixture.name, arguments: values }]);
}

/** Every leak, mentioned in every frame and every container: never a call, and not a byte changes. */
export function mentionCases(leaks: readonly Leak[], seed: number): CaseSpace {
  const sizes = [MENTIONS_PER_LEAK, leaks.length];
  return {
    section: "mention",
    size: MENTIONS_PER_LEAK * leaks.length,
    at(index): SafetyCase | undefined {
      const [mentionIndex = 0, leakIndex = 0] = coordinates(index, sizes);
      const leak = pick(leaks, leakIndex);
      const { container, frame, placeholder } = mentionAt(mentionIndex, leakIndex + seed);
      const call = callText(leak, placeholder);
      if (call === undefined || (container.family === "thought" && leak.hasThoughts)) return undefined;
      return {
        section: "mention",
        format: leak.format,
        check: placeholder === undefined ? container.family : "placeholder",
        detail: `${container.id} · ${frame.id}${placeholder === undefined ? "" : ` · ${placeholder}`}`,
        leak: leak.id,
        text: container.compose(call, frame, seed + mentionIndex + leakIndex),
        tools: leak.tools,
        context: [],
        expected: [],
      };
    },
  };
}
