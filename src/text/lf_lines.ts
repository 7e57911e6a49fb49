/**
 * Lines as grep, diff and git count them, and so do all tools of the roots and workspaces surfaces: LF ends a
 * line, a CR right before it belongs to the ending, and a lone CR is an ordinary character. A final ending
 * does not start another line; "" has no lines. The flat surface uses another model: lines.ts.
 */

export function countLfLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

/** Each line after its number and a tab, as in `cat -n`: six columns, more if the last number needs them. */
export function numberLines(text: string, firstNumber = 1): string {
  const lines = text.split("\n");
  const unended = lines.pop();
  if (unended !== undefined && unended !== "") lines.push(unended);
  const width = Math.max(6, String(firstNumber + lines.length - 1).length);
  const numbered = lines.map((line, i) => `${String(firstNumber + i).padStart(width)}\t${line}`).join("\n");
  return unended === "" && text !== "" ? `${numbered}\n` : numbered;
}
