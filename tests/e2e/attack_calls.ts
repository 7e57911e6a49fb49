/** The calls of an attack, and their outcome. */
import type { Message, TestServer } from "../support/server.ts";
import type { Schema } from "./plausible_call.ts";

export interface Listed {
  name: string;
  inputSchema: Schema;
  annotations: { readOnlyHint: boolean };
}

/** Tools whose paths are looked up in the records; tests/engine/undo covers those. */
export const ON_RECORD = new Set(["history", "restore"]);

/** The answer, or a failure if there is none: no path may hang the server. */
export async function send(
  server: TestServer,
  name: string,
  args: Record<string, unknown>,
): Promise<Message> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer to ${name} ${JSON.stringify(args).slice(0, 300)}`)),
      20_000,
    );
  });
  try {
    return await Promise.race([server.request("tools/call", { name, arguments: args }), late]);
  } finally {
    clearTimeout(timer);
  }
}

export function messageOf({ result, error }: Message): { text: string; failed: boolean } {
  if (error !== undefined) return { text: error.message, failed: true };
  return {
    text: result.content.map(({ text }: { text: string }) => text).join(""),
    failed: result.isError === true,
  };
}

export function logLines(server: TestServer): Record<string, unknown>[] {
  return server.log.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}
