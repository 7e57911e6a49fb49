/** `paddock setup`: prints what a client has to be told, or puts it into the client's file. */
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
import { mergeServer } from "./merge.ts";
import { serverCommand, thisProgram } from "./server_command.ts";

export function setup(
  { words, flags, rest }: CommandArguments,
  { command, io }: { command: SubcommandRecord; io: CommandIo },
): number {
  const client = CLIENT_RECORDS[wordOf(command, { words: CLIENTS, given: words[0] })];
  const dirs = directories(words.slice(1), rest);
  const isSaid = rest.some((flag) => /^--text(=|$)/.test(flag));
  const text = isSaid ? [] : ["--text=compact"]; // a model reads it, not a program
  const entry = client.entry(serverCommand(thisProgram(), [...dirs, ...text, ...rest]));
  const name = typeof flags.name === "string" ? flags.name : NAME;
  const path = fileOf(client, { os: Deno.build.os, env: io.env, given: flags.file });
  if (flags.write) return write({ path, name, client, entry, io });
  io.print(JSON.stringify({ [client.key]: { [name]: entry } }, null, 2));
  io.note(`# ${client.title} reads this from ${path}; with --write it is put there`);
  return 0;
}

interface Writing {
  readonly path: string;
  readonly name: string;
  readonly client: Client;
  readonly entry: Record<string, unknown>;
  readonly io: CommandIo;
}

function write({ path, name, client, entry, io }: Writing): number {
  const file = readConfigFile(path);
  const before = file.text ?? "";
  const merged = mergeServer(before, { ...client, name, entry });
  if ("reason" in merged) {
    throw new UsageError([`the file ${quote(path)} ${merged.reason}; nothing was changed`]);
  }
  if (merged.text === before) {
    io.print(`${path}: nothing to change, ${client.title} knows ${quote(name)} already`);
    return 0;
  }
  io.print(shownDiff(unifiedDiff(before, merged.text, { path: path.replace(/^\/+/, "") }), io.colours));
  const backup = replaceConfigFile(file, merged.text);
  io.print(`written: ${path}`);
  if (backup !== undefined) io.print(`backup: ${backup}`);
  io.print(`next: ${client.then}`);
  return 0;
}

/** The directories as the client is to give them, whatever folder it is started in. */
function directories(given: readonly string[], rest: readonly string[]): string[] {
  if (given.length === 0) {
    throw new UsageError([`no directory is given to serve; example: ${NAME} setup cursor ~/notes`]);
  }
  const mistakes: string[] = [];
  const real = given.map((dir) => {
    const checked = realDirectory(dir);
    if ("value" in checked) return checked.value;
    mistakes.push(`directory ${quote(dir)} ${checked.reason}, but must be an existing directory`);
    return dir;
  });
  const line = parseCommandLine([...real, ...rest], undefined);
  mistakes.push(...line.mistakes);
  if (line.flags.transport === "http") {
    mistakes.push("--transport=http is of no use here: a client that starts the server speaks over stdio");
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return real;
}

function fileOf(client: Client, { given, ...place }: Place & { given: unknown }): string {
  if (typeof given === "string") {
    return /^~[\\/]/.test(given) ? inHome(place, given.slice(2)) ?? given : given;
  }
  const path = client.file(place);
  if (path !== undefined) return path;
  const variable = place.os === "windows" ? "USERPROFILE and APPDATA" : "HOME";
  throw new UsageError([
    `where ${client.title} keeps its file is not known, as ${variable} is not set; give it with --file=FILE`,
  ]);
}

/** What a terminal would act on is shown, not sent. */
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
