import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Addition, mergeServer } from "../../../src/commands/setup/merge.ts";

const ADDITION: Addition = {
  key: "servers",
  name: "paddock",
  entry: { command: "p", args: ["a b"] },
  comments: true,
};

function merged(before: string, changed: Partial<Addition> = {}): string {
  const result = mergeServer(before, { ...ADDITION, ...changed });
  assert("text" in result, JSON.stringify(result));
  return result.text;
}

const ADDED = `"paddock": {
      "command": "p",
      "args": [
        "a b"
      ]
    }`;

const TEXTS: [name: string, before: string, after: string][] = [
  ["there is no text", "", `{\n  "servers": {\n    ${ADDED}\n  }\n}\n`],
  ["there is an empty object", "{}\n", `{\n  "servers": {\n    ${ADDED}\n  }\n}\n`],
  [
    "there are other settings",
    `{\n  // mine\n  "theme": "dark", // at night\n  "n": 1.50 // precise\n}\n`,
    `{\n  // mine\n  "theme": "dark", // at night\n  "n": 1.50, // precise\n  "servers": {\n    ${ADDED}\n  }\n}\n`,
  ],
  [
    "there are other servers, one line each",
    `{\n  "servers": {\n    "a": {"command":  "x"}\n  }\n}`,
    `{\n  "servers": {\n    "a": {"command":  "x"},\n    ${ADDED}\n  }\n}`,
  ],
  [
    "there are trailing commas",
    `{\n  "servers": {\n    "a": {}, // first\n  },\n}\n`,
    `{\n  "servers": {\n    "a": {}, // first\n    ${ADDED}\n  },\n}\n`,
  ],
  [
    "there is nothing but a comment among the servers",
    `{\n  "servers": {\n    // none yet\n  }\n}\n`,
    `{\n  "servers": {\n    // none yet\n    ${ADDED}\n  }\n}\n`,
  ],
  [
    "the server exists with other and additional values",
    `{\n  "servers": {\n    "paddock": { "command": "old", /* keep */ "env": {"A": "1"}, "args": [] }\n  }\n}\n`,
    `{\n  "servers": {\n    "paddock": { "command": "p", /* keep */ "env": {"A": "1"}, "args": [\n        "a b"\n      ] }\n  }\n}\n`,
  ],
  [
    "lines end in CRLF and are indented by tabs",
    `{\r\n\t"servers": {}\r\n}\r\n`,
    `{\r\n\t"servers": {\r\n\t\t"paddock": {\r\n\t\t\t"command": "p",\r\n\t\t\t"args": [\r\n\t\t\t\t"a b"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n`,
  ],
  ["there is a byte order mark", "\ufeff{}", `\ufeff{\n  "servers": {\n    ${ADDED}\n  }\n}`],
];

for (const [name, before, after] of TEXTS) {
  Deno.test(`mergeServer changes nothing else when ${name}, and nothing at all the second time`, () => {
    assertEquals(merged(before), after);
    assertEquals(merged(after), after);
  });
}

Deno.test("mergeServer adds every property that an existing entry lacks", () => {
  const after = merged('{"servers": {"paddock": {"env": {}}}}');
  assertEquals(JSON.parse(after), { servers: { paddock: { env: {}, command: "p", args: ["a b"] } } });
});

const REFUSED: [name: string, text: string, reason: string, comments?: boolean][] = [
  [
    "it ends early",
    '{\n  "servers": {',
    "is not valid JSON (line 2, column 15: CloseBraceExpected)",
  ],
  ["it is not an object", "[]", "is JSON, but not an object"],
  ["it is some other text", "servers = 1", "is not valid JSON (line 1, column 1: InvalidSymbol)"],
  ["the servers are a list", '{"servers": []}', 'has "servers", but not as an object'],
  ["the servers occur twice", '{"servers": {}, "servers": {}}', 'has "servers" twice'],
  ["the server occurs twice", '{"servers": {"paddock": {}, "paddock": {}}}', 'has "paddock" twice'],
  [
    "it has comments and the client accepts none",
    "{} // x",
    "is not valid JSON (line 1, column 4: InvalidCommentToken)",
    false,
  ],
];

for (const [name, text, reason, comments = true] of REFUSED) {
  Deno.test(`mergeServer leaves a text alone when ${name}`, () => {
    assertEquals(mergeServer(text, { ...ADDITION, comments }), { reason });
  });
}

Deno.test("mergeServer keeps every other value of any JSON object, in any indentation", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(objects, objects, fc.constantFrom("", " ", "\t", "    "), (rest, servers, indent) => {
      const before = { ...rest, servers: { ...servers } };
      delete (before.servers as Record<string, unknown>)["paddock"];
      const after = JSON.parse(merged(JSON.stringify(before, null, indent), { comments: false }));
      const expected = JSON.parse(JSON.stringify(before));
      expected.servers.paddock = ADDITION.entry;
      assertEquals(after, expected);
    }),
    { numRuns: 200 },
  );
});
