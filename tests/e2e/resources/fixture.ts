/** Roots with everything that resources may contain, and clients that record their notifications. */
import type { Message } from "../../support/server.ts";
import { HttpServer } from "../../support/http_server.ts";
import { tempFolder } from "../../support/temp.ts";

/** Root `open` contains root `shut`, which does not allow read_file; root `other` is beside them. */
export async function openField(extra: readonly string[] = []) {
  const folder = tempFolder();
  folder.write("open/a.txt", "hello\n");
  folder.write("open/.gitignore", "ignored/\n");
  folder.write("open/ignored/b.txt", "ignored\n");
  folder.write("open/.git/config", "[core]\n");
  folder.write("open/src/grüß %41?#.md", "# odd\n");
  folder.write("open/pixel.png", Uint8Array.fromBase64("iVBORw0KGgoAAAANSUhEUg=="));
  folder.write("open/shut/secret.txt", "secret\n");
  folder.write("other/c.txt", "other\n");
  folder.write("outside.txt", "outside\n");
  Deno.symlinkSync("../outside.txt", `${folder.path}/open/leak.txt`);
  Deno.symlinkSync("..", `${folder.path}/open/up`);
  Deno.symlinkSync("a.txt", `${folder.path}/open/link.txt`);
  Deno.symlinkSync("shut/secret.txt", `${folder.path}/open/sly.txt`);
  const write = (tools: string) =>
    folder.write(
      "paddock.yaml",
      [
        "undo: { dir: ./open/undo-store }",
        "roots:",
        `  - { name: open, path: ./open, allowed_tools: [${tools}] }`,
        "  - { name: shut, path: ./open/shut, allowed_tools: [list_folder, write_file] }",
        "  - { name: other, path: ./other, allowed_tools: ['*'] }",
      ].join("\n"),
    );
  write("'*'");
  Deno.mkdirSync(`${folder.path}/open/undo-store`);
  const server = await HttpServer.start([`--config=${folder.path}/paddock.yaml`, ...extra], {
    env: { PADDOCK_NO_UNDO: "" },
  });
  return {
    folder,
    server,
    allow: write,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The events of a stream, as they arrive. */
export class Hearing implements AsyncDisposable {
  readonly heard: Message[] = [];
  readonly #gone = new AbortController();
  readonly #reading: Promise<void>;

  constructor(open: (signal: AbortSignal) => Promise<Response>) {
    this.#reading = this.#read(open(this.#gone.signal));
  }

  /** The addresses of files that were reported as changed. */
  get updated(): string[] {
    return this.heard.flatMap(({ method, params }) =>
      method === "notifications/resources/updated" ? [params.uri] : []
    );
  }

  get methods(): (string | undefined)[] {
    return this.heard.map(({ method }) => method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gone.abort();
    await this.#reading;
  }

  async #read(opening: Promise<Response>): Promise<void> {
    let text = "";
    try {
      const { body } = await opening;
      for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const whole = text.split("\n\n");
        text = whole.pop() ?? "";
        for (const event of whole) {
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (data !== undefined) this.heard.push(JSON.parse(data));
        }
      }
    } catch { /* it ends with the server, or with the test */ }
  }
}
