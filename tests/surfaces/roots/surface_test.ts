import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { ROOTS_TOOLS, type RootsSurface } from "../../../src/surfaces/roots/surface.ts";
import type { Progress, ToolResult } from "../../../src/tools/tool.ts";
import { patient } from "../../support/patience.ts";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface, surfaceConfig } from "./setup.ts";

function gate(surface: RootsSurface, name: string, args: Record<string, unknown>): void {
  const tool = ROOTS_TOOLS.find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`no such tool: ${name}`);
  surface.gate(tool, args);
}

Deno.test("gate allows a tool that is in the root's list, or if the list has *", () => {
  const { surface } = rootsSurface([root("open", "/a"), root("some", "/b", ["read_file"])]);
  gate(surface, "write_file", { root: "open" });
  gate(surface, "read_file", { root: "some" });
  gate(surface, "list_roots", {});
});

Deno.test("gate refuses a tool that is not in a root's list, whichever argument names the root", () => {
  const { surface } = rootsSurface([root("open", "/a"), root("some", "/b", ["read_file"])]);
  for (const key of ["root", "source_root", "dest_root"]) {
    const paths = { path: "p", source_path: "s", dest_path: "d" };
    const args = { root: "open", source_root: "open", dest_root: "open", ...paths, [key]: "some" };
    const error = assertThrows(() => gate(surface, "write_file", args), PaddockError);
    assertEquals(error.code, "NOT_ALLOWED", key);
    assertEquals(error.message, "tool write_file not allowed on root some; allowed there: read_file");
    const attempted = { root: "p", source_root: "s", dest_root: "d" }[key];
    assertEquals(error.audit, { root: "some", attempted_path: attempted });
  }
});

Deno.test("gate refuses an unknown root before it checks any list", () => {
  const { surface } = rootsSurface([root("a", "/a"), root("b", "/b", ["read_file"])]);
  const error = assertThrows(() => gate(surface, "write_file", { root: "c" }), PaddockError);
  assertEquals([error.code, error.message], ["NOT_FOUND", "unknown root: c; known roots: a, b"]);
  const long = assertThrows(() => gate(surface, "read_file", { root: "c".repeat(10_000) }), PaddockError);
  assertEquals(long.message, `unknown root: ${"c".repeat(100)}; known roots: a, b`);
});

Deno.test("gate treats names that objects inherit as unknown roots", () => {
  const { surface } = rootsSurface([root("a", "/a")]);
  for (const name of ["__proto__", "constructor", "toString"]) {
    assertThrows(() => gate(surface, "read_file", { root: name }), PaddockError, "unknown root");
  }
});

Deno.test("gate refuses tools that write when the server is read-only", () => {
  const { surface } = rootsSurface([root("a", "/a")], { readOnly: true });
  gate(surface, "read_file", { root: "a" });
  assertThrows(() => gate(surface, "write_file", { root: "a" }), PaddockError, "the server is read-only");
});

Deno.test("renderError gives only text, with the root if that exists and the path if it is not mentioned yet", () => {
  const { surface } = rootsSurface([root("a", "/a")]);
  const error = new PaddockError("NOT_FOUND", "file not found: x", { data: { x: 1 }, audit: { y: "/host" } });
  const text = (given: unknown) => surface.renderError(error, given);
  const answer = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true });
  assertEquals(text({ root: "a", path: "x" }), answer("file not found: x (root: a)"));
  const more = (root: string, path: string) => `file not found: x (root: ${root}, path: ${path})`;
  assertEquals(text({ root: "a", path: "y" }), answer(more("a", '"y"')));
  assertEquals(text({ root: "a", path: "y\n" }), answer(more("a", '"y\\n"')));
  const both = { source_root: "a", source_path: "x", dest_root: "a", dest_path: "y" };
  assertEquals(text(both), answer("file not found: x (source_root: a, dest_root: a)"));
  for (const given of [{ root: "b" }, { root: 5 }, {}, undefined, null, "a", ["a"]]) {
    assertEquals(text(given), answer("file not found: x"));
  }
});

Deno.test("logFields keeps names and paths, cut, and nothing else of the arguments", () => {
  const { surface } = rootsSurface([root("a", "/a")]);
  const given = {
    root: "a",
    path: "p".repeat(5_000),
    source_root: "a",
    source_path: "s",
    dest_root: "b",
    dest_path: "d",
    content: "SECRET",
    mode: "append",
    edits: [{ text: "SECRET" }],
  };
  assertEquals(surface.logFields(given), {
    root: "a",
    path: `${"p".repeat(1_000)}…`,
    source_root: "a",
    source_path: "s",
    dest_root: "b",
    dest_path: "d",
  });
  assertEquals(surface.logFields({ root: { content: "SECRET" }, path: ["SECRET"] }), {});
  for (const given of [undefined, null, "SECRET", 5]) assertEquals(surface.logFields(given), {});
});

Deno.test("reload replaces roots, lists and limits for later calls", async () => {
  using folder = tempFolder();
  folder.write("one/a.txt", "one, and a little more");
  folder.write("two/a.txt", "two");
  const { surface, call } = rootsSurface([root("data", `${folder.path}/one`)]);
  assertEquals(
    (await call("read_file", { root: "data", path: "a.txt" })).content[0]?.text,
    "one, and a little more",
  );
  surface.reload(surfaceConfig([
    root("data", `${folder.path}/one`, ["read_file"]),
    root("more", `${folder.path}/two`),
  ], 10));
  assertEquals((await call("read_file", { root: "more", path: "a.txt" })).content[0]?.text, "two");
  assertStringIncludes(
    (await call("write_file", { root: "data", path: "a.txt", content: "" })).content[0]?.text ?? "",
    "not allowed on root data",
  );
  assertStringIncludes(
    (await call("read_file", { root: "data", path: "a.txt" })).content[0]?.text ?? "",
    "(size: 22B, limit: 10B)",
  );
});

Deno.test("reload refuses to become another surface, and then changes nothing", () => {
  const { surface } = rootsSurface([root("a", "/a")]);
  assertThrows(() => surface.reload({ kind: "flat", dir: "/b" }), TypeError, "flat");
  gate(surface, "read_file", { root: "a" });
});

Deno.test("contextFor lets a call wait for a lock as long as its time limit, 30 s at most", () => {
  const [tool] = ROOTS_TOOLS;
  if (tool === undefined) throw new Error("there are no tools");
  const call = { signal: new AbortController().signal, requestId: 1, client: undefined };
  for (const [timeoutMs, expected] of [[5_000, 5_000], [30_000, 30_000], [300_000, 30_000]] as const) {
    const { surface } = rootsSurface([root("a", "/a")], { timeoutMs });
    assertEquals(surface.contextFor(tool, call).changing.lockWaitMs, expected);
  }
});

Deno.test("no answer grows with the length of its path", async () => {
  using folder = tempFolder();
  const { call } = rootsSurface([root("r", folder.path)]);
  const path = `${"a/../".repeat(200_000)}x`;
  for (
    const [tool, rest] of [["list_folder", {}], ["read_file", {}], ["stat_file", {}], ["write_file", {
      content: "",
    }]] as const
  ) {
    const { isError, content } = await call(tool, { root: "r", path, ...rest });
    assertEquals(isError, true);
    assertMatch(
      content[0]?.text ?? "",
      /^path must be a string with a length of at most 4096; "a\/\.\.\/.{0,350}$/s,
    );
  }
  assertEquals(folder.names(), []);
});

/** Takes longer than the time limit of a call, once. */
function dawdle(ms: number): () => void {
  let isDone = false;
  return () => {
    const until = performance.now() + (isDone ? 0 : ms);
    isDone = true;
    while (performance.now() < until);
  };
}

Deno.test("remove_folder, copy and create_folder are not ended by the time limit once they have begun", async () => {
  using folder = tempFolder();
  for (let i = 0; i < 60; i++) folder.write(`from/${i}`, "x");
  const timeoutMs = patient(1_000);
  const { call } = rootsSurface([root("r", folder.path)], { timeoutMs });
  const at = { source_root: "r", source_path: "from", dest_root: "r", dest_path: "to" };
  const copied = await call("copy", at, { progress: dawdle(timeoutMs + 200) });
  assertEquals([copied.isError, copied.structuredContent?.files], [undefined, 60]);
  const removed = await call("remove_folder", { root: "r", path: "from" }, {
    progress: dawdle(timeoutMs + 200),
  });
  assertEquals([removed.isError, removed.structuredContent?.entries_removed], [undefined, 61]);
  const make = Deno.mkdirSync;
  const wait = dawdle(timeoutMs + 200);
  Deno.mkdirSync = (...args) => {
    make(...args);
    wait();
  };
  try {
    assertEquals((await call("create_folder", { root: "r", path: "a/b/c" })).isError, undefined);
  } finally {
    Deno.mkdirSync = make;
  }
});

Deno.test("remove_folder that is cancelled half-way says how far it got", async () => {
  using folder = tempFolder();
  for (let i = 0; i < 60; i++) folder.write(`from/${i}`, "x");
  const { call } = rootsSurface([root("r", folder.path)]);
  const { signal, abort } = cancelling();
  const progress = ({ progress }: Progress) => progress === 20 && abort();
  const { content } = await call("remove_folder", { root: "r", path: "from" }, { signal, progress });
  assertEquals(
    content[0]?.text,
    '"from" was removed only in part (20 of 61 entries); the rest is unchanged: the call was cancelled (root: r)',
  );
  assertEquals(folder.names().length, 41);
});

function cancelling() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
