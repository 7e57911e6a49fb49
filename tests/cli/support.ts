/**
 * What the tests of the command line share: a temporary folder, and the configuration or the mistakes of a call, with
 * slashes in all paths, whatever the system uses.
 */
import { assertRejects } from "@std/assert";
import type { Config, HttpConfig, RootsSurfaceConfig } from "../../src/base/config.ts";
import { UsageError } from "../../src/base/errors.ts";
import { loadConfig } from "../../src/cli/resolve.ts";
import { tempFolder } from "../support/temp.ts";

export const TOOLS = ["list_folder", "read_file", "write_file", "grep", "glob"];

/** What the runtime says about a path with a null byte. */
export const NUL = Deno.build.os === "windows"
  ? "strings passed to WinAPI cannot contain NULs"
  : "file name contained an unexpected NUL byte";

export type Variables = Record<string, string>;

export async function withTempDir(run: (dir: string) => void | Promise<void>): Promise<void> {
  using folder = tempFolder();
  await run(withSlashes(folder.path));
}

/** A path in a form that Windows accepts too; in messages, where it is quoted, its separators are doubled. */
function withSlashes(text: string): string {
  return Deno.build.os === "windows" ? text.replace(/\\{1,2}/g, "/") : text;
}

/** With slashes throughout, and without the fact whether letter case matters. */
function alike<T>(value: T): T {
  const text = JSON.stringify(
    value,
    (key, part) => key === "anyCase" ? undefined : typeof part === "string" ? withSlashes(part) : part,
  );
  return value === undefined ? value : JSON.parse(text);
}

export async function configOf(args: readonly string[], variables: Variables = {}): Promise<Config> {
  const config = await ownConfigOf(args, variables);
  return { ...config, surface: alike(config.surface), ...pathsOf(config) };
}

function pathsOf({ acpEvents, configPath }: Config) {
  return { ...(acpEvents !== undefined && { acpEvents: alike(acpEvents) }), configPath: alike(configPath) };
}

/** The same object. */
export async function ownConfigOf(args: readonly string[], variables: Variables = {}): Promise<Config> {
  const loaded = await load(args, variables);
  if (loaded.kind !== "run") throw new Error(`expected a configuration, not ${loaded.kind}`);
  return loaded.config;
}

export async function mistakesOf(
  args: readonly string[],
  variables: Variables = {},
): Promise<readonly string[]> {
  const error: UsageError = await assertRejects(() => load(args, variables), UsageError);
  return error.mistakes.map(withSlashes);
}

export function rootsOf({ surface }: Config): RootsSurfaceConfig {
  if (surface.kind !== "roots") throw new Error(`expected roots, not ${surface.kind}`);
  return surface;
}

export function httpOf({ transport }: Config): HttpConfig {
  if (transport.kind !== "http") throw new Error(`expected http, not ${transport.kind}`);
  return transport;
}

function load(args: readonly string[], variables: Variables) {
  return loadConfig({
    args,
    env: (name) => variables[name],
    knownTools: () =>
      Promise.resolve(TOOLS.map((name) => ({ name, writes: /write|edit|append/.test(name) }))),
  });
}
