/**
 * Runs the commands of a document as a reader would type them, in a separate home folder: `paddock`, `npx` and `deno`
 * stand for this source, and agents have changed something in the project there.
 */
import { serverCommand, TestServer } from "../support/server.ts";
import { freePort } from "../support/http_server.ts";
import type { TempFolder } from "../support/temp.ts";

/** How long a server may take to start on a machine that is busy with other tests. */
const PATIENCE_MS = 60_000;

export interface Ended {
  readonly code: number;
  readonly output: string;
}

export class CommandRunner {
  readonly #folder: TempFolder;
  readonly #cache: string;
  #port = freePort();
  /** The ids of changes that an agent made in the project. */
  #ids: readonly string[] = [];

  private constructor(folder: TempFolder, cache: string) {
    this.#folder = folder;
    this.#cache = cache;
  }

  static async start(folder: TempFolder): Promise<CommandRunner> {
    const quoted = serverCommand([]).map((word) => `'${word}'`).join(" ");
    const deno = `'${Deno.execPath()}'`;
    const scripts = {
      paddock: `exec ${quoted} "$@"`,
      deno: `exec ${deno} "$@"`,
      npx: `case "$2" in
  deno@*) shift 2; exec ${deno} "$@" ;;
  paddock-mcp) shift 2; exec ${quoted} "$@" ;;
  *) echo "npx: unknown package $2" >&2; exit 127 ;;
esac`,
    };
    for (const [name, script] of Object.entries(scripts)) {
      Deno.chmodSync(folder.write(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
    }
    for (const name of ["home/projects/site", "home/agents", "srv/data", "srv/workspaces", "srv/logs"]) {
      Deno.mkdirSync(`${folder.path}/${name}`, { recursive: true });
    }
    folder.write("home/notes/today.md", "# Today\n");
    folder.write("work/notes/notes.txt", "milk\nbread\nbutter\n");
    folder.write("work/.git/info/attributes", "");
    folder.write("home/projects/shop/src/main.ts", "const cart = 1;\n");
    const runner = new CommandRunner(folder, await denoDir());
    await runner.#change();
    return runner;
  }

  /** The text of a document, with this run's paths, ports and ids filled in. */
  filledIn(text: string): string {
    const { path } = this.#folder;
    const [first = "", second = ""] = this.#ids;
    return text.replaceAll("/path/to/your/project", `${path}/home/projects/shop`)
      .replace(/(?<=[\s="'])\/srv\//g, `${path}/srv/`)
      .replace(/--port=\d+/g, `--port=${this.#port}`)
      .replace(/^paddock console\b/, `paddock console --port=${this.#port}`)
      .replace(/(localhost|127\.0\.0\.1):80\d\d/g, `$1:${this.#port}`)
      .replaceAll("6a6najf9", first).replaceAll("6a6nb2k0", second);
  }

  write(name: string, text: string): void {
    this.#folder.write(`work/${name}`, this.filledIn(text));
  }

  /** Runs a command to its end; a server until it serves, and then stops it. */
  async run(command: string, cwd?: string): Promise<Ended> {
    const running = await this.#start(command, cwd);
    running.stop();
    return await running.ended;
  }

  /** A server that runs until it is disposed of. */
  async serve(command: string): Promise<AsyncDisposable> {
    return await this.#start(command);
  }

  /** Waits until the command has ended or serves; retries once if another process took the port first. */
  async #start(command: string, cwd = `${this.#folder.path}/work`): Promise<Running> {
    for (let attempt = 1;; attempt++) {
      const running = new Running(this.filledIn(command), { cwd, env: this.#env() });
      if (await running.servesOrEnds() === "serves" || attempt === 3) return running;
      if (!(await running.ended).output.includes("already in use")) return running;
      this.#port = freePort();
    }
  }

  #env(): Record<string, string> {
    const { path } = this.#folder;
    return {
      HOME: `${path}/home`,
      XDG_STATE_HOME: "",
      XDG_CONFIG_HOME: "",
      DENO_DIR: this.#cache,
      PATH: `${path}/bin:${Deno.env.get("PATH")}`,
      PADDOCK_NO_UNDO: "false",
      PORT: String(this.#port),
      NO_COLOR: "1",
    };
  }

  /** Two changes by an agent in the project. */
  async #change(): Promise<void> {
    const shop = `${this.#folder.path}/home/projects/shop`;
    await using server = new TestServer([shop], { env: this.#env() });
    await server.initialize();
    const write = async (path: string, content: string): Promise<string> =>
      (await server.call("write_file", { root: "shop", path, content })).value.change;
    this.#ids = [await write("src/main.ts", "const cart = 2;\n"), await write("src/new.ts", "export {};\n")];
  }
}

/** Where Deno keeps packages: a separate home folder must not make it download them again. */
async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

/** What a server prints once it can be reached: its start line with an address, or the console's address. */
const SERVES =
  /server_starting\b.*\bhttp:\/\/|"event":"server_starting".*http:\/\/|^http:\/\/\S+\/console\?token=/m;

class Running implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #serves = Promise.withResolvers<"serves">();
  readonly ended: Promise<Ended>;
  #output = "";

  constructor(command: string, options: { cwd: string; env: Record<string, string> }) {
    this.#child = new Deno.Command("sh", {
      // A single program replaces the shell, so that signals reach it.
      args: ["-c", /[|>&]/.test(command) ? command : `exec ${command}`],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      ...options,
    }).spawn();
    const reading = [this.#child.stdout, this.#child.stderr].map((stream) => this.#read(stream));
    this.ended = Promise.all([this.#child.status, ...reading])
      .then(([{ code }]) => ({ code, output: this.#output }));
  }

  async servesOrEnds(): Promise<"serves" | "ends"> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), PATIENCE_MS);
    try {
      return await Promise.race([this.#serves.promise, this.ended.then(() => "ends" as const)]);
    } finally {
      clearTimeout(timer);
    }
  }

  stop(): void {
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.#output += text;
      if (SERVES.test(this.#output)) this.#serves.resolve("serves");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.ended;
  }
}
