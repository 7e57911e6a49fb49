/**
 * The file for notifications to an ACP client, resolved and created if necessary. It must lie outside the
 * served directories: a client that could write it could forge notifications, and one that could read it
 * would see what others edit.
 */
import { type AcpEventsConfig, directoriesOf, type SurfaceConfig } from "../base/config.ts";
import { defaultSessionId } from "./acp_session_id.ts";
import { flagExample, FLAGS, type FlagValues } from "./flags.ts";
import { quote, refusal } from "./mistakes.ts";
import { mayRead, mayWrite } from "./permissions.ts";
import { lacksPermission, whyUnusable } from "./read_file.ts";
import type { Checked } from "./values.ts";

const STDERR = "-";

/** Adds what is wrong to `mistakes`. */
export function resolveAcpEvents(
  flags: FlagValues,
  { surface, mistakes }: { surface: SurfaceConfig; mistakes: string[] },
): AcpEventsConfig | undefined {
  const given = flags["acp-events"];
  const sessionId = flags["acp-session-id"];
  if (given === undefined) {
    if (sessionId !== undefined) mistakes.push(alone());
    return undefined;
  }
  if (surface.kind === "flat" || surface.kind === "classic") {
    const flag = surface.kind === "flat" ? "--dir" : "--classic";
    mistakes.push(wrong(`has no effect with ${flag}`, "given with a surface that has multi_edit_text_file"));
    return undefined;
  }
  const file = given === STDERR ? { value: STDERR } : eventFile(given, directoriesOf(surface));
  if ("reason" in file) {
    mistakes.push(
      wrong(
        `is ${quote(given)}, which ${file.reason}`,
        "a file outside the served directories, or - for stderr",
      ),
    );
    return undefined;
  }
  return { file: file.value, sessionId: sessionId ?? defaultSessionId() };
}

function wrong(problem: string, allowed: string): string {
  return refusal("--acp-events", { problem, allowed, example: exampleOf("acp-events") });
}

function alone(): string {
  const example = `${exampleOf("acp-events")} ${exampleOf("acp-session-id")}`;
  return refusal("--acp-session-id", {
    problem: "is given alone",
    allowed: "given with --acp-events",
    example,
  });
}

function exampleOf(name: "acp-events" | "acp-session-id"): string {
  const flag = FLAGS.find((flag) => flag.name === name);
  return flag === undefined ? `--${name}` : flagExample(flag);
}

/** The file's path without symbolic links, or why it cannot be used, as a predicate. */
function eventFile(path: string, served: readonly string[]): Checked<string> {
  const { folder, name } = split(path);
  for (const place of [folder, path]) if (!mayRead(place)) return { reason: lacksPermission(place) };
  if (!mayWrite(path)) {
    return { reason: `cannot be written: the process was started without --allow-write=${path}` };
  }
  try {
    // Checked before anything is created: the folder may be a link into what is served.
    const realFolder = realPathOf(folder);
    if (realFolder === undefined) return { reason: "lies in a folder that does not exist" };
    const real = realPathOf(path) ?? join(realFolder, name);
    const directory = served.find((directory) => liesIn(directory, real));
    if (directory !== undefined) {
      return { reason: `lies in ${quote(directory)}, where clients can change it` };
    }
    if (!mayWrite(real)) return { reason: "leads to a place the process has no permission to write" };
    createIfMissing(real);
    if (!Deno.statSync(real).isFile) return { reason: "is not a regular file" };
    Deno.openSync(real, { append: true }).close();
    return { value: real };
  } catch (error) {
    return { reason: whyUnusable(error) };
  }
}

/**
 * For its owner only. Does not create a file through a dangling link; the caller then finds the file missing.
 */
function createIfMissing(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** Undefined when nothing is there, or a dangling link. */
function realPathOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

function split(path: string): { folder: string; name: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf(SEPARATOR));
  return { folder: at < 0 ? "." : path.slice(0, at + 1), name: path.slice(at + 1) };
}

function join(folder: string, name: string): string {
  return folder.endsWith(SEPARATOR) ? folder + name : folder + SEPARATOR + name;
}

function liesIn(directory: string, path: string): boolean {
  return path === directory ||
    path.startsWith(directory.endsWith(SEPARATOR) ? directory : directory + SEPARATOR);
}
