/**
 * The parsers of foreign texts and bytes, fuzzed in this process, where it is fastest: the patch parser, regular
 * expressions and globs, the config file, clients' configurations, and git's objects, deltas and index. Each must
 * return a result or refuse with its own error, and quickly.
 */
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { PaddockError } from "../../src/base/errors.ts";
import { loadConfigFile } from "../../src/cli/config_file.ts";
import { mergeServer } from "../../src/commands/setup/merge.ts";
import { applyDelta } from "../../src/engine/history/objects/delta.ts";
import { nameOfEntry, parseIndex } from "../../src/engine/history/index/index_format.ts";
import { parseCommit, parseObject } from "../../src/engine/history/objects/objects.ts";
import { Tree } from "../../src/engine/history/objects/tree.ts";
import { compileGlob } from "../../src/engine/search/walk/glob.ts";
import { compilePattern } from "../../src/engine/search/pattern/matcher.ts";
import { PatternError } from "../../src/engine/search/pattern/pattern_error.ts";
import { applyPatch } from "../../src/text/patch.ts";
import type { Random } from "../support/random.ts";
import type { TempFolder } from "../support/temp.ts";
import { damaged, damagedBytes, glob, json, patch, pattern, text } from "./garbage.ts";

/** A long time for any of these. */
const SLOW_MS = 5_000;

interface Parser {
  readonly name: string;
  /** Parses something; the result says what it was. */
  run(random: Random): () => unknown;
  /** What it may throw besides its own kinds of error. */
  readonly mayThrow?: (error: unknown) => boolean;
}

const YAML = `port: 8091
max_size_mb: 10
roots:
  - name: data
    path: .
    allowed_tools: ["*"]
`;

const isRange = (error: unknown) => error instanceof RangeError;

export function parsersFor(folder: TempFolder): Parser[] {
  const { index, objects } = gitSamples(folder);
  const config = `${folder.path}/paddock.yaml`;
  return [
    {
      name: "patches",
      run: (random) => withValue(patch(random), (given) => applyPatch("one\ntwo\nthree\n", given)),
    },
    {
      name: "patterns",
      run: (random) =>
        withValue(pattern(random), (given) => compilePattern(given).matchesText("aab é 1 aaab")),
    },
    {
      name: "globs",
      run: (random) => withValue(glob(random), (given) => compileGlob(given).matchesText("folder/a.txt")),
    },
    {
      name: "config files",
      run: (random) =>
        withValue(random.next() < 0.8 ? damaged(random, YAML, "lines stay") : text(random), (given) => {
          Deno.writeTextFileSync(config, given);
          return loadConfigFile(config, ["read_file"]);
        }),
    },
    {
      name: "client configurations",
      run: (random) =>
        withValue(
          damaged(random, JSON.stringify({ servers: json(random) }, null, 2), "lines stay"),
          (given) => {
            const wanted = {
              key: "servers",
              name: "paddock",
              entry: { command: "p", args: [] },
              comments: true,
            };
            return mergeServer(given, wanted);
          },
        ),
    },
    {
      name: "git objects",
      run: (random) =>
        withValue(damagedBytes(random, random.pick(objects)), (given) => {
          const { type, data } = parseObject(Buffer.from(given), "sample");
          return type === "commit"
            ? parseCommit(data)
            : type === "tree"
            ? [...new Tree(data).entries()]
            : data;
        }),
      mayThrow: isRange,
    },
    {
      name: "git deltas",
      run: (random) =>
        withValue(damagedBytes(random, DELTA), (given) => applyDelta(DELTA_BASE, Buffer.from(given))),
      mayThrow: isRange,
    },
    {
      name: "git indexes",
      run: (random) =>
        withValue(unchecked(damagedBytes(random, index)), (given) => {
          const entries = parseIndex(given);
          return entries === undefined ? [] : [...entries.starts].map((at) => nameOfEntry(entries.bytes, at));
        }),
      mayThrow: isRange,
    },
  ];
}

/** Runs one parser once; returns what is wrong, if anything. */
export function tryParser({ name, run, mayThrow = () => false }: Parser, random: Random): string | undefined {
  const attempt = run(random);
  const begun = performance.now();
  try {
    attempt();
  } catch (error) {
    const { cause, given } = error as { cause?: unknown; given?: string };
    if (!(cause instanceof PaddockError || cause instanceof PatternError || mayThrow(cause))) {
      return `${name}: ${cause instanceof Error ? cause.stack : cause} at ${given}`;
    }
  }
  const taken = performance.now() - begun;
  return taken > SLOW_MS ? `${name}: took ${Math.round(taken)} ms` : undefined;
}

/** An attempt that reports its input if it fails. */
function withValue<V extends string | Uint8Array>(given: V, use: (given: V) => unknown): () => unknown {
  return () => {
    try {
      return use(given);
    } catch (cause) {
      const shown = typeof given === "string" ? JSON.stringify(given) : Buffer.from(given).toString("base64");
      throw Object.assign(new Error("failed", { cause }), { given: shown.slice(0, 2_000) });
    }
  };
}

const DELTA_BASE = Buffer.from("one two three four five six seven");
/** Copies the first eight bytes, adds three, copies ten more. */
const DELTA = Buffer.from([33, 21, 0x91, 0, 8, 3, 120, 121, 122, 0x91, 14, 10]);

/** An index whose checksum is all zeros is not checked, so that damage gets further than that. */
function unchecked(bytes: Uint8Array): Buffer {
  const index = Buffer.from(bytes);
  index.fill(0, Math.max(0, index.length - 20));
  return index;
}

/** The index and the objects of a small repository, made by git. */
function gitSamples(folder: TempFolder): { index: Uint8Array; objects: Uint8Array[] } {
  folder.write("repository/a.txt", "a\n");
  folder.write("repository/folder/b.txt", "b\n");
  const repository = `${folder.path}/repository`;
  const person = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "safe.directory=*"];
  for (const args of [["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]]) {
    const { success, stderr } = new Deno.Command("git", { args: ["-C", repository, ...person, ...args] })
      .outputSync();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  }
  const objects = folder.names().filter((name) => /\.git\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name));
  return {
    index: Deno.readFileSync(`${repository}/.git/index`),
    objects: objects.map((name) => inflateSync(Deno.readFileSync(`${folder.path}/${name}`))),
  };
}
