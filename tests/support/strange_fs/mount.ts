/** Starting a program on the strange file system: see main.ts. */
import { REPOSITORY } from "../server.ts";
import { type Traits } from "./traits.ts";

/** What stands before a command that is to find the file system in `folder`. */
export function onStrangeFs(traits: Traits, folder: string): string[] {
  const main = `${REPOSITORY}tests/support/strange_fs/main.ts`;
  const quiet = ["--no-check", "--no-lock"];
  return ["unshare", "-rm", Deno.execPath(), "run", "-A", ...quiet, main, JSON.stringify(traits), folder];
}
