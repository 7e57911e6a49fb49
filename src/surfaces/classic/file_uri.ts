/** The `file:` URI of a path, as Node writes it. */
export function fileUri(path: string): string {
  const escaped = path.replace(/[%\\\n\r\t?#]/g, (char) => {
    const isSeparator = char === "\\" && Deno.build.os === "windows";
    return isSeparator ? "/" : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return new URL(`file://${escaped.startsWith("/") ? "" : "/"}${escaped}`).href;
}
