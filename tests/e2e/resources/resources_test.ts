/**
 * Files as resources, in both eras of the protocol: listed, read, completed; and what nobody may reach through them.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ModernClient, SessionClient } from "../../support/http_client.ts";
import type { Message } from "../../support/server.ts";
import { onUnix } from "../../support/needs.ts";
import { openField } from "./fixture.ts";

let field: Awaited<ReturnType<typeof openField>>;
let asked: Record<
  "sessions" | "none",
  (method: string, params?: Record<string, unknown>) => Promise<Message>
>;

Deno.test.beforeAll(async () => {
  field = await openField(["--max-size=1"]);
  const session = await SessionClient.begin(field.server.url, "2025-11-25");
  const modern = new ModernClient(field.server.url);
  asked = {
    sessions: (method, params) => session.request(method, params),
    none: async (method, params = {}) => {
      const headers = typeof params.uri === "string" ? { "mcp-name": header(params.uri) } : {};
      const response = await modern.send(method, params, { headers });
      return await response.json();
    },
  };
});

Deno.test.afterAll(() => field[Symbol.asyncDispose]());

/** Values that are not plain text come as base64 in a header. */
function header(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  return `=?base64?${new TextEncoder().encode(value).toBase64()}?=`;
}

const ERAS = ["sessions", "none"] as const;
const read = (era: typeof ERAS[number], uri: string) => asked[era]("resources/read", { uri });

for (const era of ERAS) {
  Deno.test({
    ...onUnix(`resources/list has the files of the roots in order, and nothing that listings hide (${era})`),
    fn: async () => {
      const { result } = await asked[era]("resources/list");
      assertEquals(result.resources.map(({ uri }: { uri: string }) => uri), [
        "paddock://open/.gitignore",
        "paddock://open/a.txt",
        "paddock://open/pixel.png",
        "paddock://open/src/gr%C3%BC%C3%9F%20%2541%3F%23.md",
        "paddock://other/c.txt",
      ]);
      assertEquals(result.nextCursor, undefined);
      const [, , pixel, odd] = result.resources;
      assertEquals([pixel.mimeType, pixel.size, odd.name], ["image/png", 16, "src/grüß %41?#.md"]);
      assert(!Number.isNaN(Date.parse(odd.annotations.lastModified)));
    },
  });

  Deno.test(`resources/read returns text as text, the rest as base64, by the listed addresses (${era})`, async () => {
    const { result } = await asked[era]("resources/list");
    const texts: unknown[] = [];
    for (const { uri } of result.resources) {
      const [content] = (await read(era, uri)).result.contents;
      assertEquals(content.uri, uri);
      texts.push([content.mimeType, content.text ?? content.blob]);
    }
    assertEquals(texts, [
      ["text/plain", "ignored/\n"],
      ["text/plain", "hello\n"],
      ["image/png", "iVBORw0KGgoAAAANSUhEUg=="],
      ["text/markdown", "# odd\n"],
      ["text/plain", "other\n"],
    ]);
    const [ignored] = (await read(era, "paddock://open/ignored/b.txt")).result.contents;
    assertEquals(ignored.text, "ignored\n");
    const [linked] = (await read(era, "paddock://open/link.txt")).result.contents;
    assertEquals(linked.text, "hello\n");
  });

  Deno.test(`resources/templates/list has the one template (${era})`, async () => {
    const { result } = await asked[era]("resources/templates/list");
    assertEquals(result.resourceTemplates.map((each: { uriTemplate: string }) => each.uriTemplate), [
      "paddock://{root}/{+path}",
    ]);
  });

  Deno.test(`completion/complete returns roots, and what is in a folder (${era})`, async () => {
    const complete = async (name: string, value: string, root?: string) => {
      const ref = { type: "ref/resource", uri: "paddock://{root}/{+path}" };
      const context = root === undefined ? {} : { context: { arguments: { root } } };
      const { result, error } = await asked[era]("completion/complete", {
        ref,
        argument: { name, value },
        ...context,
      });
      return error?.message ?? result.completion;
    };
    const all = (values: string[]) => ({ values, total: values.length, hasMore: false });
    assertEquals(await complete("root", ""), all(["open", "other"]));
    assertEquals(await complete("root", "op"), all(["open"]));
    assertEquals(await complete("path", "s", "open"), all(["shut/", "sly.txt", "src/"]));
    assertEquals(await complete("path", "src/gr", "open"), all(["src/grüß %41?#.md"]));
    assertEquals(await complete("path", "a.*", "open"), all([]));
    for (const value of ["../", "../o", "/etc/", "up/", "shut/", "undo-store/", "a.txt/", "x\0/"]) {
      assertEquals(await complete("path", value, "open"), all([]), value);
    }
    assertEquals(await complete("path", "", "shut"), all([]));
    assertEquals(await complete("path", ""), all([]));
    assertStringIncludes(await complete("name", "a"), "root and path");
  });

  Deno.test({
    ...onUnix(`resources/read never leaves the roots, whatever the address (${era})`),
    fn: async () => {
      const refused: [uri: string, code: number][] = [
        ["paddock://open/../outside.txt", -32602],
        ["paddock://open/%2e%2e/outside.txt", -32602],
        ["paddock://open/%2E%2E%2Foutside.txt", -32602],
        ["paddock://open/src/..%2F..%2F../outside.txt", -32602],
        ["paddock://open/..%5Coutside.txt", NOT_FOUND[era]],
        ["paddock://open//etc/passwd", -32602],
        ["paddock://open/%2Fetc%2Fpasswd", -32602],
        ["paddock://open/a.txt%00.png", -32602],
        ["paddock://open/%ff", -32602],
        ["paddock://open/leak.txt", -32602],
        ["paddock://open/up/outside.txt", -32602],
        ["paddock://open/up/other/c.txt", -32602],
        ["paddock://open/shut/secret.txt", -32602],
        ["paddock://open/sly.txt", -32602],
        ["paddock://shut/secret.txt", -32602],
        ["paddock://open/undo-store", -32602],
        ["paddock://open%2Fshut/secret.txt", NOT_FOUND[era]],
        ["paddock://constructor/a", NOT_FOUND[era]],
        ["paddock://open", -32602],
        ["paddock://open/src", -32602],
        ["paddock://open/nothing.txt", NOT_FOUND[era]],
        ["file:///etc/passwd", NOT_FOUND[era]],
      ];
      for (const [uri, code] of refused) {
        const { error, result } = await read(era, uri);
        assertEquals([error?.code, result], [code, undefined], `${uri}: ${JSON.stringify(result ?? error)}`);
        assert(!JSON.stringify(error).includes(field.folder.path), uri);
      }
      const listed = await read(era, "paddock://open/.git/config"); // can be read, but not changed
      assertEquals(listed.result.contents[0].text, "[core]\n");
    },
  });

  Deno.test(`resources/list refuses a cursor it has not made, and an invented one leads nowhere else (${era})`, async () => {
    const at = (value: unknown) =>
      new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url" });
    for (
      const cursor of [
        "",
        "x",
        "%%%",
        at({}),
        at(["open"]),
        at(["nobody", "a"]),
        at(["shut", ""]),
        at([1, 2]),
      ]
    ) {
      const { error } = await asked[era]("resources/list", { cursor });
      assertEquals([error?.code, error?.message.slice(0, 14)], [-32602, "unknown cursor"], cursor);
    }
    for (const path of ["../../etc", "/", "shut/", "undo-store/", "\0", ".git/"]) {
      const { result } = await asked[era]("resources/list", { cursor: at(["open", path]) });
      for (const { uri } of result.resources) assertEquals(/shut|undo-store|\.git\//.test(uri), false, uri);
    }
    const { result } = await asked[era]("resources/list", { cursor: at(["open", "a.txt"]) });
    assertEquals(result.resources[0].name, "pixel.png");
  });
}

const NOT_FOUND = { sessions: -32002, none: -32602 };

Deno.test("resources/list returns consecutive pages, even across a large folder and several roots", async () => {
  const names = Array.from({ length: 1_203 }, (_, i) => `${i % 7 === 0 ? "deep/er" : "many"}/f${i}.txt`);
  for (const name of names) field.folder.write(`other/${name}`, "");
  const seen: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const { result } = await asked.sessions("resources/list", cursor === undefined ? {} : { cursor });
    seen.push(...result.resources.map(({ uri }: { uri: string }) => uri));
    assert(result.resources.length <= 500);
    cursor = result.nextCursor;
    pages++;
  } while (cursor !== undefined);
  assertEquals([pages, seen.length, new Set(seen).size], [3, 1_208, 1_208]);
  assertEquals(seen.filter((uri) => uri.startsWith("paddock://other/")).toSorted().length, 1_204);
  Deno.removeSync(`${field.folder.path}/other/many`, { recursive: true });
  Deno.removeSync(`${field.folder.path}/other/deep`, { recursive: true });
});

Deno.test("completion/complete returns a hundred of many, and says that there are more", async () => {
  for (let i = 0; i < 300; i++) field.folder.write(`other/many/f${i}.txt`, "");
  const { result: { completion } } = await asked.sessions("completion/complete", {
    ref: { type: "ref/resource", uri: "paddock://{root}/{+path}" },
    argument: { name: "path", value: "many/f" },
    context: { arguments: { root: "other" } },
  });
  assertEquals([completion.values.length, completion.hasMore, completion.total], [100, true, undefined]);
  Deno.removeSync(`${field.folder.path}/other/many`, { recursive: true });
});

Deno.test("resources/read refuses a file that is too large to read whole, and says what to do", async () => {
  field.folder.write("other/large.bin", new Uint8Array(20_000_000));
  const { error } = await read("sessions", "paddock://other/large.bin");
  assertEquals(error?.code, -32602);
  assertStringIncludes(error?.message ?? "", "read parts of it with a tool");
  Deno.removeSync(`${field.folder.path}/other/large.bin`);
});

Deno.test("resources are counted and logged like calls", async () => {
  await field.server.logged('"tool":"resources/read"');
  assert(await field.server.metric('tool_calls_total{tool="resources/read",outcome="success"}') > 0);
  assertStringIncludes(field.server.log, "security_denied");
});
