/**
 * Where the comment or processing instruction that starts at `at` ends: markup that says nothing to the tool.
 * `undefined`: none starts here. `more`: the text ends before it does.
 */
export function remarkEnd(text: string, at: number, final: boolean): number | "more" | undefined {
  if (text.charCodeAt(at) !== 60) return undefined;
  if (!final && text.length - at < 4 && "<!--".startsWith(text.slice(at))) return "more";
  const closer = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : undefined;
  if (closer === undefined) return undefined;
  const end = text.indexOf(closer, at + 2);
  if (end !== -1) return end + closer.length;
  return final ? undefined : "more";
}
