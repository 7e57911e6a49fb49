/**
 * A process that writes to one file through the real engine, again and again, and reports each write on standard
 * output: "0", "1", "2", … A refusal ends it, with a line `CODE: message`.
 *
 *     deno run -A overwriter.ts ROOT PATH COUNT TAG [overwrite|append|create_only]
 */
import { PaddockError } from "../../src/base/errors.ts";
import { writeText } from "../../src/engine/write.ts";
import { engineOn } from "./engine.ts";
import { has } from "./needs.ts";

export const OVERWRITER = decodeURIComponent(new URL(import.meta.url).pathname);

/** A content that contains its number, and shows whether it is whole; from a few bytes up to 300 KB. */
export function numberedContent(tag: string, number: number): string {
  const size = number % 10 === 9 ? 300_000 : [0, 100, 5_000, 20_000, 70_000][number % 5] ?? 0;
  return `begin ${tag} ${number}\n${`${number} `.repeat(Math.ceil(size / 8))}\nend ${tag} ${number}\n`;
}

/** The number of a whole content; anything else throws. */
export function numberOf(tag: string, content: string): number {
  const number = Number(content.slice(0, content.indexOf("\n")).split(" ")[2]);
  if (content !== numberedContent(tag, number)) throw new Error(`a torn content: ${content.slice(0, 60)}`);
  return number;
}

/**
 * Runs it to its end as another user, and returns the lines it printed. That needs root, and a user who can reach the
 * program and this file: undefined if it is impossible.
 */
export function overwriteAs(user: { uid: number; gid: number }, args: string[]): string[] | undefined {
  if (!has("files of other users")) return undefined;
  const cache = Deno.makeTempDirSync();
  try {
    Deno.chownSync(cache, user.uid, user.gid);
    const { success, stdout } = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", OVERWRITER, ...args],
      ...user,
      clearEnv: true,
      env: { DENO_DIR: cache },
    }).outputSync();
    return success ? new TextDecoder().decode(stdout).trimEnd().split("\n") : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  } finally {
    Deno.removeSync(cache, { recursive: true });
  }
}

if (import.meta.main) {
  const [path = "", file = "", count = "", tag = "", mode = "overwrite"] = Deno.args;
  const { at, changing } = engineOn({ name: "test", path, git: "open", nested: [] });
  const say = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  if (mode !== "overwrite" && mode !== "append" && mode !== "create_only") throw new TypeError(mode);
  try {
    for (let i = 0; i < Number(count); i++) {
      const text = mode === "append" ? `${tag} ${i}\n` : numberedContent(tag, i);
      await writeText(at(file), text, { mode, changing });
      say(String(i));
    }
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    say(`${error.code}: ${error.message}`);
  }
}
