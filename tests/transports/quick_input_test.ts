import { assert, assertEquals } from "@std/assert";
import { needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const READER = new URL("../support/quick_input_reader.ts", import.meta.url).pathname;
const encoder = new TextEncoder();

interface Came {
  usualReads: number;
  length: number;
  sha256: string;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toHex();
}

function command(...args: string[]): string[] {
  return [Deno.execPath(), "run", "-A", "--no-lock", READER, ...args];
}

function cameFrom(printed: string): Came {
  return JSON.parse(printed.slice(printed.indexOf("{")));
}

class Reader implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #printed = "";

  constructor(...args: string[]) {
    const [program = "", ...rest] = command(...args);
    const pipes = { stdin: "piped", stdout: "piped", stderr: "inherit" } as const;
    this.#process = new Deno.Command(program, { args: rest, ...pipes }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#reader = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /** Waits until it has read at least once more. */
  async hasRead(): Promise<void> {
    const { value = "" } = await this.#reader.read();
    this.#printed += value;
  }

  async end(): Promise<Came> {
    await this.closeInput();
    return await this.rest();
  }

  async closeInput(): Promise<void> {
    await this.#writer.close();
  }

  /** What it says at its end. */
  async rest(): Promise<Came> {
    for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) {
      this.#printed += next.value;
    }
    await this.#process.status;
    return cameFrom(this.#printed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch { /* it has ended */ }
    await this.#process.status;
  }
}

Deno.test({
  ...needs("Unix")("QuickInput loses nothing when a socket takes over from the runtime, whatever the sizes"),
  async fn() {
    await using reader = new Reader("3");
    const sent: Uint8Array[] = [];
    for (const size of [1, 10, 100, 64 * 1024, 5, 300_000, 64 * 1024 + 1, 7, 1_000_000, 1]) {
      const bytes = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)));
      const whole = new Uint8Array(size).map((_, i) => bytes[i % bytes.length] ?? 0);
      sent.push(whole);
      await reader.write(whole);
      await reader.hasRead();
    }
    const all = await new Blob(sent as BlobPart[]).bytes();
    assertEquals(await reader.end(), { usualReads: 3, length: all.length, sha256: await sha256(all) });
  },
});

Deno.test({
  ...needs("node", "Unix")("QuickInput reads from the socket that Node gives its children, to its end"),
  async fn() {
    const script = `const { spawn } = require("node:child_process");
      const [program, ...args] = JSON.parse(process.argv[1]);
      const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"] });
      let left = 50;
      const next = () => left-- > 0 ? child.stdin.write("x".repeat(1000), () => setTimeout(next, 1)) : child.stdin.end();
      next();`;
    const { stdout } = await new Deno.Command("node", { args: ["-e", script, JSON.stringify(command("2"))] })
      .output();
    const all = encoder.encode("x".repeat(50_000));
    const came = cameFrom(new TextDecoder().decode(stdout));
    assertEquals(came, { usualReads: 2, length: all.length, sha256: await sha256(all) });
  },
});

Deno.test({
  ...needs("basic tools")("QuickInput leaves a file to the runtime"),
  async fn() {
    using folder = tempFolder();
    const dir = folder.path;
    const all = new Uint8Array(300_000).fill(97);
    Deno.writeFileSync(`${dir}/input`, all);
    const line = `exec "$@" < ${dir}/input`;
    const { stdout } = await new Deno.Command("sh", { args: ["-c", line, "sh", ...command("2")] }).output();
    const { usualReads, ...came } = cameFrom(new TextDecoder().decode(stdout));
    assertEquals(came, { length: all.length, sha256: await sha256(all) });
    assert(usualReads > 3, `${usualReads} reads`);
  },
});

Deno.test({
  ...needs("Unix")("QuickInput takes in no more than is asked for, so that the client has to wait"),
  async fn() {
    using folder = tempFolder();
    const dir = folder.path;
    await using reader = new Reader("1", `${dir}/go`);
    for (const text of ["first\n", "second\n", "hold\n"]) {
      await reader.write(encoder.encode(text));
      await reader.hasRead();
    }
    let taken = 0;
    const piece = new Uint8Array(64 * 1024).fill(97);
    const writing = (async () => {
      for (; taken < 16 * 1024 * 1024; taken += piece.length) await reader.write(piece);
    })();
    for (let seen = -1; seen !== taken;) {
      seen = taken;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert(taken < 4 * 1024 * 1024, `${taken} bytes were taken in`);
    Deno.writeTextFileSync(`${dir}/go`, "");
    const [, came] = await Promise.all([writing.then(() => reader.closeInput()), reader.rest()]);
    assertEquals(came.length, "first\nsecond\nhold\n".length + taken);
  },
});
