/** What the server says, as a sentence on a page: it says it the way that programs are told. */

/** With a capital and a full stop, and without what the page says beside it. */
export function sentence(message: string): string {
  const text = message.trim()
    .replace(/^conflict: /, "")
    .replace(/[.;] nothing was changed\.?(?=$|[.:;])/gi, "");
  if (text === "") return "";
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}
