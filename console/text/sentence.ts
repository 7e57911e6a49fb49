/** Turns the server's messages, which are phrased for programs, into sentences for the page. */

/** With a capital letter and a full stop, and without what the page says anyway. */
export function sentence(message: string): string {
  const text = message.trim()
    .replace(/^conflict: /, "")
    .replace(/[.;] nothing was changed\.?(?=$|[.:;])/gi, "");
  if (text === "") return "";
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}
