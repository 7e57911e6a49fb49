/** The sha256 of a text or bytes, in hexadecimal digits, by an implementation other than the program's. */
export async function hexOf(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
