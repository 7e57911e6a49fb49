/** What the tests of workspaces share: the real git program as judge, and a client of any transport. */
import { assert, assertEquals } from "@std/assert";
import type { ToolAnswer } from "../../support/server.ts";

export interface Caller {
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/** Runs the git program in a folder, without any user's settings, and returns its output. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const output = await new Deno.Command("git", {
    args: ["-C", folder, "-c", "safe.directory=*", ...args],
    env: {
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "Person",
      GIT_AUTHOR_EMAIL: "person@example.com",
      GIT_COMMITTER_NAME: "Person",
      GIT_COMMITTER_EMAIL: "person@example.com",
    },
  }).output();
  const [out, err] = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!output.success) throw new Error(`git ${args.join(" ")}: ${err}`);
  return out ?? "";
}

/** Git agrees with what is there: nothing differs from the last commit, no object is broken, no commit is lost. */
export async function assertSound(folder: string): Promise<void> {
  assertEquals(await git(folder, "status", "--porcelain"), "");
  assertEquals(await fsck(folder), "");
  assertEquals(await git(folder, "rev-list", "--merges", "--count", "HEAD"), "0\n");
}

/** An idle server may remove packs that fsck has just listed, after merging them: tolerated once. */
async function fsck(folder: string): Promise<string> {
  const check = () => git(folder, "fsck", "--strict", "--no-dangling");
  return await check().catch(async (error) => {
    if (!/pack.* (index not opened|cannot be accessed)/.test(error.message)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return await check();
  });
}

/** The subjects of all commits, newest first. */
export async function subjects(folder: string, ...args: string[]): Promise<string[]> {
  return (await git(folder, "log", "--format=%s", ...args)).split("\n").filter((line) => line !== "");
}

/** The result of a call that must succeed. */
// deno-lint-ignore no-explicit-any
export async function valueOf(client: Caller, name: string, args: Record<string, unknown>): Promise<any> {
  const { isError, text, value } = await client.call(name, args);
  assert(!isError, `${name}: ${text}`);
  return value;
}

export interface Failure {
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

/** The error of a call that must fail: JSON text, and no structured content. */
export async function failureOf(
  client: Caller,
  name: string,
  args: Record<string, unknown>,
): Promise<Failure> {
  const { isError, text, value } = await client.call(name, args);
  assert(isError, `${name} ${JSON.stringify(args)} did not fail: ${text}`);
  assertEquals(value, undefined);
  return JSON.parse(text);
}

/** A new workspace, with its folder. */
export async function newWorkspace(
  client: Caller,
  name = "Work",
): Promise<{ workspaceId: string; path: string }> {
  return await valueOf(client, "workspace_create", { name });
}
