/** Reads a request's body: bounded in size and in time, whatever its headers claim. */

export type Body =
  | { kind: "text"; text: string }
  | { kind: "too-large" }
  | { kind: "too-slow" }
  | { kind: "garbled" };

export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
}

export async function readBody(request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<Body> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBytes) return { kind: "too-large" };
  if (request.body === null) return { kind: "text", text: "" };
  const reader = request.body.getReader();
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), timeoutMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late.promise]);
      if (next === "late") return { kind: "too-slow" };
      if (next.done) break;
      size += next.value.length;
      if (size > maxBytes) return { kind: "too-large" };
      chunks.push(next.value);
    }
  } catch {
    return { kind: "garbled" }; // the client broke off
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {}); // whatever is still to come is not wanted
  }
  try {
    return { kind: "text", text: decode(chunks) };
  } catch {
    return { kind: "garbled" };
  }
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
