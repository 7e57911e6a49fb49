import { assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { type InputLine, LineReader } from "../../src/transports/line_reader.ts";
import { MemoryInput } from "../support/streams.ts";
import { anyCharacter } from "../support/any_character.ts";

const encoder = new TextEncoder();

/** Every line of the bytes, which arrive cut at the places given. */
async function linesOf(bytes: Uint8Array, { cuts = [] as number[], maxLine = 1_000 } = {}) {
  const input = new MemoryInput();
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    if (place > from) input.put(bytes.slice(from, place));
    from = place;
  }
  input.end();
  const lines: InputLine[] = [];
  for await (const line of new LineReader(input, maxLine)) lines.push(line);
  return lines;
}

async function textsOf(text: string): Promise<unknown[]> {
  return (await linesOf(encoder.encode(text))).map((line) => line.kind === "line" ? line.text : line.kind);
}

const SPLITTING: [name: string, input: string, lines: string[]][] = [
  ["nothing", "", []],
  ["one line", "a\n", ["a"]],
  ["a last line without its line break", "a\nb", ["a", "b"]],
  ["CRLF", "a\r\nb\r\n", ["a", "b"]],
  ["empty lines", "\n\na\n \n\r\n", ["a"]],
  ["space around a line", "  a b \t\n", ["a b"]],
  ["a byte order mark", "\ufeffa\n", ["a"]],
  ["a lone CR inside a line", "a\rb\n", ["a\rb"]],
  ["a line separator, which is not a line break", "a\u2028b\n", ["a\u2028b"]],
  ["letters of several bytes", "größe 😀\n", ["größe 😀"]],
];

for (const [name, input, lines] of SPLITTING) {
  Deno.test(`LineReader splits the input when it contains ${name}`, async () => {
    assertEquals(await textsOf(input), lines);
  });
}

Deno.test("LineReader returns the same lines when the input is cut anywhere", async () => {
  const piece = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\n\n", " ", "é", "😀", '{"id":1}', "\u2028"),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    fc.constant("long ".repeat(12)),
  );
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => encoder.encode(pieces.join(""))),
    fc.uint8Array({ maxLength: 200 }),
  );
  await fc.assert(fc.asyncProperty(bytes, fc.array(fc.nat(500), { maxLength: 12 }), async (all, cuts) => {
    assertEquals(await linesOf(all, { cuts, maxLine: 40 }), await linesOf(all, { maxLine: 40 }));
  }));
});

Deno.test("LineReader accepts a line at the limit and refuses one byte more, in bytes rather than characters", async () => {
  const lines = await linesOf(
    encoder.encode(`${"x".repeat(40)}\n${"x".repeat(41)}\n${"é".repeat(21)}\nok\n`),
    {
      maxLine: 40,
    },
  );
  assertEquals(lines.map(({ kind }) => kind), ["line", "long", "long", "line"]);
  const [, long] = lines;
  assertEquals(long, {
    kind: "long",
    id: null,
    code: -32600,
    message: "Request too large: the line has 41 bytes, 40 are allowed (--max-size)",
  });
});

Deno.test("LineReader continues after a line that is not UTF-8", async () => {
  const bytes = new Uint8Array([0x22, 0xff, 0xfe, 0x22, 10, ...encoder.encode('"ok"\n'), 0xc3, 10, 0x61]);
  const lines = await linesOf(bytes);
  assertEquals(lines.map((line) => line.kind === "line" ? line.text : `${line.kind} ${line.code}`), [
    "garbled -32700",
    '"ok"',
    "garbled -32700",
    "a",
  ]);
});

const FILL = "x".repeat(3_000);

/** Requests of which only the ends are kept; the id must be the request's own, or none at all. */
const IDS: [name: string, line: string, id: string | number | null][] = [
  ["first", `{"id":7,"jsonrpc":"2.0","method":"m","params":"${FILL}"}`, 7],
  ["after the version", `{"jsonrpc":"2.0","id":7,"method":"m","params":"${FILL}"}`, 7],
  ["first, with spaces", `{ "jsonrpc" : "2.0" , "id" : 7 , "params" : "${FILL}" }`, 7],
  ["last", `{"method":"m","params":"${FILL}","jsonrpc":"2.0","id":7}`, 7],
  ["before the version at the end", `{"method":"m","params":"${FILL}","id":7,"jsonrpc":"2.0"}`, 7],
  ["last, with spaces", `{"method":"m","params":"${FILL}", "id" : 7 }`, 7],
  ["a string", `{"jsonrpc":"2.0","id":"call-7","params":"${FILL}"}`, "call-7"],
  ["a string beyond ASCII", `{"jsonrpc":"2.0","id":"ü😀","params":"${FILL}"}`, "ü😀"],
  ["zero", `{"jsonrpc":"2.0","id":0,"params":"${FILL}"}`, 0],
  ["in the middle", `{"params":"${FILL}","id":7,"other":"${FILL}"}`, null],
  ["absent", `{"jsonrpc":"2.0","method":"m","params":"${FILL}"}`, null],
  ["null", `{"jsonrpc":"2.0","id":null,"params":"${FILL}"}`, null],
  ["a fraction", `{"jsonrpc":"2.0","id":1.5,"params":"${FILL}"}`, null],
  ["a number beyond the safe ones", `{"jsonrpc":"2.0","id":12345678901234567890,"params":"${FILL}"}`, null],
  ["with an escape", `{"jsonrpc":"2.0","id":"a\\"b","params":"${FILL}"}`, null],
  ["with a raw control character", `{"jsonrpc":"2.0","id":"a\tb","params":"${FILL}"}`, null],
  ["with a leading zero", `{"jsonrpc":"2.0","id":007,"params":"${FILL}"}`, null],
  ["in a nested object", `{"params":{"text":"${FILL}","id":8}}`, null],
  ["in a nested object that comes first", `{"params":{"id":8,"text":"${FILL}"}}`, null],
  ["inside a string at the end", `{"params":"${FILL} ,\\"id\\":8}"}`, null],
  [
    "inside a string that ends like a message",
    `{"params":"${FILL}${JSON.stringify(',"id":8}').slice(1)}}`,
    null,
  ],
  ["inside a string at the beginning", `{"params":"{\\"id\\":8,${FILL}"}`, null],
  ["in a batch", `[{"jsonrpc":"2.0","id":7,"params":"${FILL}"},{"method":"m","id":8}]`, null],
  ["followed by something else", `{"params":"${FILL}","id":7} trailing`, null],
];

for (const [name, line, id] of IDS) {
  Deno.test(`LineReader reports the id ${JSON.stringify(id)} when a line is too long and its id is ${name}`, async () => {
    const [long, next] = await linesOf(encoder.encode(`${line}\n"next"\n`), { maxLine: 2_000 });
    assertEquals(long?.kind === "long" ? long.id : long, id);
    assertStringIncludes(JSON.stringify(long), "Request too large");
    assertEquals(next, { kind: "line", text: '"next"' });
    for (const cuts of [[1, 20, 30], [2_500, 3_030, 3_050], [...line].map((_, i) => i)]) {
      assertEquals(await linesOf(encoder.encode(`${line}\n"next"\n`), { cuts, maxLine: 2_000 }), [
        long,
        next,
      ]);
    }
  });
}

Deno.test("LineReader returns nothing more after stop, not even the rest of a line", async () => {
  const input = new MemoryInput();
  const reader = new LineReader(input, 1_000);
  input.put("a\nb\nrest");
  const lines: InputLine[] = [];
  for await (const line of reader) {
    lines.push(line);
    reader.stop();
    input.put(" of a line\nc\n");
    input.end();
  }
  assertEquals(lines, [{ kind: "line", text: "a" }]);
});

Deno.test("LineReader distinguishes lines that were read after the door was closed from those before", async () => {
  const input = new MemoryInput();
  const reader = new LineReader(input, 1_000);
  const lines = reader[Symbol.asyncIterator]();
  const seen: [string, boolean][] = [];
  const next = async () => {
    const { value } = await lines.next();
    if (value?.kind === "line") seen.push([value.text, reader.late]);
  };
  input.put("one\ntwo\nhalf of ");
  await next();
  reader.closeDoor();
  input.put("three\nfour\n");
  for (let i = 0; i < 3; i++) await next();
  assertEquals(seen, [["one", false], ["two", false], ["half of three", true], ["four", true]]);
});

Deno.test("LineReader.emptied waits until a read brings nothing more, and not at all when the input has ended", async () => {
  const input = new MemoryInput();
  const reader = new LineReader(input, 1_000);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const line of reader) if (line.kind === "line") seen.push(line.text);
  })();
  for (let i = 0; i < 5; i++) setTimeout(() => input.put(`${i}\n`), i);
  await reader.emptied();
  assertEquals(seen, ["0", "1", "2", "3", "4"]);
  input.end();
  await reading;
  await reader.emptied();
});
