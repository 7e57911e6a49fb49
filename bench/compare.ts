// What servers do to files, side by side: paddock and the official server get the same small jobs, and the table
// shows the files afterwards. `deno task compare` prints it; --write puts it into docs/notes/comparison.md. This is
// about behaviour, not speed: each job is done once, on fresh files.

import { basename } from "@std/path/basename";
import { join } from "@std/path/join";
import { officialServer, paddock, type Place, type Server } from "./peers.ts";
import { StdioClient, type ToolCall } from "./stdio_client.ts";

/** A server and one job, in a folder of its own. */
interface Bench {
  readonly dir: string;
  readonly client: StdioClient;
  readonly server: Server;
  read(name: string): string;
  /** Replaces text in a file; returns "ok" or the first words of the error. */
  edit(name: string, edits: readonly [string, string][]): Promise<string>;
  call(call: ToolCall): Promise<string>;
}

interface Job {
  readonly what: string;
  prepare(dir: string): void;
  /** Does the job and says what happened. */
  run(bench: Bench): Promise<string>;
}

const JOBS: readonly Job[] = [
  {
    what: "10 edits of 10 lines of one file, sent at once",
    prepare: (dir) => write(dir, "a.txt", Array.from({ length: 10 }, (_, i) => `line ${i} old\n`).join("")),
    run: async ({ edit, read }) => {
      const edits = Array.from({ length: 10 }, (_, i) => edit("a.txt", [[`line ${i} old`, `line ${i} new`]]));
      const said = (await Promise.all(edits)).filter((answer) => answer === "ok").length;
      return `${said} reported done, ${read("a.txt").split("new").length - 1} in the file`;
    },
  },
  {
    what: "An edit of a file with CRLF line endings",
    prepare: (dir) => write(dir, "a.txt", "one\r\ntwo\r\nthree\r\n"),
    run: async ({ edit, read }) => {
      await edit("a.txt", [["two", "2"]]);
      const text = read("a.txt");
      return text === "one\r\n2\r\nthree\r\n" ? "CRLF kept" : `became ${JSON.stringify(text)}`;
    },
  },
  {
    what: "An edit of a file that is not UTF-8 (one Latin-1 byte)",
    prepare: (dir) => Deno.writeFileSync(join(dir, "a.txt"), new Uint8Array([0x63, 0xe9, 0x0a, 0x78, 0x0a])),
    run: async ({ edit, dir }) => {
      const said = await edit("a.txt", [["x", "y"]]);
      const bytes = Deno.readFileSync(join(dir, "a.txt"));
      return bytes[1] === 0xe9 ? `byte kept (${said})` : "byte replaced by U+FFFD";
    },
  },
  {
    what: "An edit whose text occurs twice",
    prepare: (dir) => write(dir, "a.txt", "same\nsame\n"),
    run: async ({ edit, read }) => {
      const said = await edit("a.txt", [["same", "other"]]);
      return read("a.txt") === "same\nsame\n" ? `refused: ${said}` : "changed the first of them";
    },
  },
  {
    what: "An edit with an empty text to find",
    prepare: (dir) => write(dir, "a.txt", "text\n"),
    run: async ({ edit, read }) => {
      const said = await edit("a.txt", [["", "!"]]);
      return read("a.txt") === "text\n" ? `refused: ${said}` : `became ${JSON.stringify(read("a.txt"))}`;
    },
  },
  {
    what: "The mode of an edited file (0640 before)",
    prepare: (dir) => {
      write(dir, "a.txt", "one\n");
      Deno.chmodSync(join(dir, "a.txt"), 0o640);
    },
    run: async ({ edit, dir }) => {
      await edit("a.txt", [["one", "two"]]);
      return `0${((Deno.statSync(join(dir, "a.txt")).mode ?? 0) & 0o777).toString(8)}`;
    },
  },
  {
    what: "A read through a link that leads outside",
    prepare: (dir) => {
      write(join(dir, ".."), "secret.txt", "secret\n");
      Deno.symlinkSync(join(dir, "..", "secret.txt"), join(dir, "link.txt"));
    },
    run: async ({ call, server, dir }) => {
      const said = await call(server.read({ dir, path: "link.txt" }));
      return said.includes("secret\n") ? "gave the secret" : "refused";
    },
  },
];

function write(dir: string, name: string, text: string): void {
  Deno.writeTextFileSync(join(dir, name), text);
}

/** The tool of each that replaces text. */
function editCall(server: Server, { dir, path }: Place, edits: readonly [string, string][]): ToolCall {
  return server.side === "paddock"
    ? {
      name: "multi_edit_text_file",
      arguments: {
        root: basename(dir),
        path,
        edits: edits.map(([old_string, new_string]) => ({ old_string, new_string })),
      },
    }
    : {
      name: "edit_file",
      arguments: {
        path: join(dir, path),
        edits: edits.map(([oldText, newText]) => ({ oldText, newText })),
      },
    };
}

async function runJob(job: Job, server: Server, folder: string): Promise<string> {
  const dir = join(folder, "field");
  Deno.mkdirSync(dir, { recursive: true });
  job.prepare(dir);
  await using client = new StdioClient(server.launch(dir));
  await client.initialize();
  const call = async (toolCall: ToolCall) => {
    try {
      return await client.callTool(toolCall);
    } catch (error) {
      return `${error instanceof Error ? error.message : error}`;
    }
  };
  return await job.run({
    dir,
    client,
    server,
    call,
    read: (name) => Deno.readTextFileSync(join(dir, name)),
    edit: async (name, edits) => {
      try {
        await client.callTool(editCall(server, { dir, path: name }, edits));
        return "ok";
      } catch (error) {
        return firstWords(error instanceof Error ? error.message : String(error));
      }
    },
  });
}

function firstWords(text: string): string {
  const line = text.replace(/^\w+ failed: /, "").split("\n")[0] ?? "";
  return `“${line.length > 80 ? line.slice(0, 80) + "…" : line}”`;
}

function page(rows: readonly string[][], peer: string): string {
  const lines = rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  return `# Compared with the official server

<!-- This page is written by \`deno task compare --write\`. -->

paddock and \`@modelcontextprotocol/server-filesystem\` were given the same work, and this is what became of the files.
paddock used \`multi_edit_text_file\` and \`read_file\`, the official server \`edit_file\` and \`read_text_file\`.
\`deno task compare\` repeats it on your machine. Speed: [benchmarks](benchmarks.md).

| job | paddock | ${peer} |
| --- | --- | --- |
${lines.join("\n")}
`;
}

async function main(): Promise<void> {
  const peer = await officialServer(new AbortController().signal);
  const rows: string[][] = [];
  for (const job of JOBS) {
    const row = [job.what];
    for (const server of [paddock(), peer]) {
      const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "compare-" }));
      try {
        row.push(await runJob(job, server, folder));
      } finally {
        Deno.removeSync(folder, { recursive: true });
      }
    }
    rows.push(row);
    console.log(row.join("\n    "));
  }
  if (Deno.args.includes("--write")) {
    const file = join(import.meta.dirname ?? ".", "..", "docs", "notes", "comparison.md");
    Deno.writeTextFileSync(file, page(rows, peer.name));
  }
}

if (import.meta.main) {
  Deno.env.set("PADDOCK_NO_UNDO", "true"); // leaves nothing in the state folder of the person who measures
  await main();
}
