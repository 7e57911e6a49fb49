/** How the live server writes: all or nothing, and never while another process holds the lock. */
import { type Check, type Finding, finding } from "./finding.ts";
import type { HoldLock } from "./file_system.ts";
import type { Ground } from "./ground.ts";
import type { LiveServer } from "./live_server.ts";

interface Writing {
  readonly server: LiveServer;
  readonly ground: Ground;
  readonly holdLock: HoldLock;
}

export function writingChecks(writing: Writing): Check[] {
  return [
    { name: "writes are atomic", run: () => whole(writing) },
    { name: "the server waits for locks", run: () => waits(writing) },
  ];
}

const LENGTH = 512 * 1024;
const TIMES = 20;

/** Reads continuously while the server overwrites: no read may ever see a mix. */
async function whole({ server, ground }: Writing): Promise<Finding[]> {
  const check = "writes are atomic";
  const path = `${ground.field}/whole.txt`;
  const contents = ["a".repeat(LENGTH), "b".repeat(LENGTH)];
  Deno.writeTextFileSync(path, contents[0] ?? "");
  let writing = true;
  let reads = 0;
  const reading = (async () => {
    while (writing) {
      const text = await Deno.readTextFile(path);
      reads++;
      if (!contents.includes(text)) return `a reader saw a mix of ${text.length} characters`;
    }
    return undefined;
  })();
  let refusal: string | undefined;
  for (let i = 1; i <= TIMES && refusal === undefined; i++) {
    const content = contents[i % 2];
    const answer = await server.call("write_file", {
      root: "field",
      path: "whole.txt",
      content,
      mode: "overwrite",
    });
    if (answer.failed) refusal = `write_file failed: ${answer.text}`;
  }
  writing = false;
  const torn = await reading;
  Deno.removeSync(path);
  const problem = torn ?? refusal;
  if (problem !== undefined) return [finding(check, "failed", problem)];
  return [finding(check, "ok", `${TIMES} overwrites, ${reads} reads`)];
}

async function waits({ server, ground, holdLock }: Writing): Promise<Finding[]> {
  const check = "the server waits for locks";
  const path = `${ground.field}/locked.txt`;
  const call = { root: "field", path: "locked.txt", content: "theirs", mode: "overwrite" };
  Deno.writeTextFileSync(path, "mine");
  const holder = await holdLock(path);
  const during = await server.call("write_file", call);
  const meanwhile = Deno.readTextFileSync(path);
  await holder.release();
  const after = await server.call("write_file", call);
  const finally_ = Deno.readTextFileSync(path);
  Deno.removeSync(path);
  if (!during.failed || meanwhile !== "mine") {
    return [finding(check, "failed", "it wrote to a file that another process had locked")];
  }
  if (after.failed || finally_ !== "theirs") {
    return [finding(check, "failed", `it could not write after the lock was released: ${after.text}`)];
  }
  return [finding(check, "ok", "refused while the file was locked, written afterwards")];
}
