/** `paddock setup`: prints a client's configuration, or writes it to the client's file. */
import { UsageError } from "../../base/errors.ts";
import { NAME } from "../../base/version.ts";
import { quote } from "../../cli/mistakes.ts";
import { parseCommandLine } from "../../cli/parse.ts";
import { realDirectory } from "../../cli/root_dirs.ts";
import { CLIENTS, type SubcommandRecord } from "../../cli/subcommands.ts";
import { unifiedDiff } from "../../text/diff.ts";
import { painter } from "../colours.ts";
import { type CommandArguments, type CommandIo, wordOf } from "../command.ts";
import { type Client, CLIENT_RECORDS, inHome, type Place } from "./clients.ts";
import { readConfigFile, replaceConfigFile } from "./config_file.ts";
import { formatOf } from "./formats.ts";
import type { Merged } from "./merge.ts";
import { serverCommand } from "../../base/program.ts";
import { thisProgram } from "../../cli/this_program.ts";

export async function setup(
  { words, flags, rest }: CommandArguments,
  { command, io }: { command: SubcommandRecord; io: CommandIo },
): Promise<number> {
  const client = CLIENT_RECORDS[wordOf(command, { words: CLIENTS, given: words[0] })];
  const name = typeof flags.name === "string" ? flags.name : NAME;
  const place = { os: Deno.build.os, env: io.env };
  const path = () => fileOf(client, { ...place, given: flags.file });
  const format = await formatOf(client);
  if (flags.remove) {
    refuseWithRemove(flags.write === true, [...words.slice(1), ...rest]);
    return change({ path: path(), client, io }, {
      made: (before) => format.remove(before, { ...client, name }),
      done: "removed from",
      nothing: `${client.title} has no server named ${quote(name)}`,
    });
  }
  const isChosen = rest.some((flag) => /^--(text|classic)(=|$)/.test(flag));
  const text = isChosen ? [] : ["--text=compact"]; // models read the results, not programs
  const served = servedBy({ dirs: words.slice(1), workspaces: flags["workspaces-root"], rest }, place);
  const entry = client.entry(serverCommand(thisProgram(), [...served, ...text, ...rest]));
  const wanted = { ...client, name, entry };
  if (flags.write) {
    return change({ path: path(), client, io }, {
      made: (before) => format.merge(before, wanted),
      done: "written",
      nothing: `${client.title} already has ${quote(name)}`,
    });
  }
  io.print(format.show(wanted));
  io.note(`# ${client.title} reads this from ${path()}; --write adds it there`);
  return 0;
}

function refuseWithRemove(writes: boolean, others: readonly string[]): void {
  if (!writes && others.length === 0) return;
  const given = writes ? "--write" : quote(others[0] ?? "");
  throw new UsageError([
    `--remove removes a server whatever it serves, but ${given} is given too; example: ${NAME} setup cursor --remove`,
  ]);
}

interface Changing {
  readonly path: string;
  readonly client: Client;
  readonly io: CommandIo;
}

interface Change {
  readonly made: (before: string) => Merged;
  readonly done: string;
  /** Why there is nothing to do, if that is the case. */
  readonly nothing: string;
}

function change({ path, client, io }: Changing, { made, done, nothing }: Change): number {
  const file = readConfigFile(path);
  const before = file.text ?? "";
  const merged = made(before);
  if ("reason" in merged) {
    throw new UsageError([`the file ${quote(path)} ${merged.reason}; nothing was changed`]);
  }
  if (merged.text === before) {
    io.print(`${path}: nothing to change, ${nothing}`);
    return 0;
  }
  io.print(shownDiff(unifiedDiff(before, merged.text, { path: path.replace(/^\/+/, "") }), io.colours));
  const backup = replaceConfigFile(file, merged.text);
  io.print(`${done}: ${path}`);
  if (backup !== undefined) io.print(`backup: ${backup}`);
  io.print(`next: ${client.then}`);
  return 0;
}

interface Served {
  readonly dirs: readonly string[];
  readonly workspaces: unknown;
  readonly rest: readonly string[];
}

/** The arguments that tell the server what to serve. */
function servedBy({ dirs, workspaces, rest }: Served, place: Place): string[] {
  if (typeof workspaces !== "string") return directories(dirs, rest);
  if (dirs.length > 0) {
    throw new UsageError([
      `directories (${
        quote(dirs[0] ?? "")
      }) and --workspaces-root are given, but a server takes only one of them`,
    ]);
  }
  const [root = ""] = directories([expanded(workspaces, place)], []);
  const args = [`--workspaces-root=${root}`, "--transport=stdio"];
  refuseMistakes([...args, ...rest]);
  return args;
}

/** The directories as absolute paths, so the client may start the server from any folder. */
function directories(given: readonly string[], rest: readonly string[]): string[] {
  if (given.length === 0) {
    throw new UsageError([`no directory to serve is given; example: ${NAME} setup cursor ~/notes`]);
  }
  const mistakes: string[] = [];
  const real = given.map((dir) => {
    const checked = realDirectory(dir);
    if ("value" in checked) return checked.value;
    mistakes.push(`directory ${quote(dir)} ${checked.reason}, but must be an existing directory`);
    return dir;
  });
  refuseMistakes([...real, ...rest], mistakes);
  return real;
}

function refuseMistakes(args: readonly string[], known: readonly string[] = []): void {
  const line = parseCommandLine([...args], undefined);
  const mistakes = [...known, ...line.mistakes];
  if (line.flags.transport === "http") {
    mistakes.push(
      "--transport=http does not work here: a client that starts the server talks to it over stdio",
    );
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
}

function fileOf(client: Client, { given, ...place }: Place & { given: unknown }): string {
  if (typeof given === "string") return expanded(given, place);
  const path = client.file(place);
  if (path !== undefined) return path;
  const variable = place.os === "windows" ? "USERPROFILE and APPDATA" : "HOME";
  throw new UsageError([
    `cannot find the file of ${client.title}, because ${variable} is not set; name it with --file=FILE`,
  ]);
}

function expanded(path: string, place: Place): string {
  return /^~[\\/]/.test(path) ? inHome(place, path.slice(2)) ?? path : path;
}

/** Replaces control characters, so that a terminal cannot act on them. */
function shownDiff(diff: string, colours: boolean): string {
  if (!colours) return diff;
  const paint = painter(colours);
  return diff.split("\n").map((raw) => {
    const line = raw.replace(/\r$/, "").replace(
      /\p{Cc}/gu,
      (control) => control === "\t" ? control : "\ufffd",
    );
    if (/^(---|\+\+\+) /.test(line)) return paint("bold", line);
    if (line.startsWith("@@")) return paint("cyan", line);
    if (line.startsWith("+")) return paint("green", line);
    return line.startsWith("-") ? paint("red", line) : line;
  }).join("\n");
}
