import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import { configFileSchema } from "../../src/cli/config_schema.ts";
import { type FlagRecord, FLAGS } from "../../src/cli/flags.ts";
import { configOf, httpOf, mistakesOf, rootsOf, TOOLS, withTempDir } from "./support.ts";

const KEYS =
  "transport, port, host, max_size_mb, timeout_seconds, read_only, tools, text, log_format, log_level, " +
  "auth_token_file, allowed_hosts, console, cors_origins, max_full_read_size, undo, roots";
const SMALLEST = 'roots: [{ name: data, path: /srv/data, allowed_tools: ["*"] }]';
const ONE_ROOT = '{ name: data, path: /srv/data, allowed_tools: ["*"] }';
const TOOLS_RULE = 'a list of tool names with at least one entry, or ["*"] for all tools; ' +
  "example: allowed_tools: [read_file, grep]";
const NAME_RULE = "1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit; " +
  "example: name: workspace";

/** A valid root, as one line of a flow map. */
const ROOT = '{ name: data, path: data, allowed_tools: ["*"] }';

/** The mistakes in a file with this content, beside a folder `data`, without the file's path. */
async function mistakesIn(content: string | Uint8Array<ArrayBuffer>): Promise<string[]> {
  let mistakes: string[] = [];
  await withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/data`);
    const path = `${dir}/c.yaml`;
    Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    mistakes = (await mistakesOf([`--config=${path}`])).map((text) => text.replaceAll(`${dir}/`, ""));
  });
  return mistakes;
}

Deno.test("loadConfig accepts every key of a config file", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/data`);
    Deno.mkdirSync(`${dir}/etc`);
    Deno.writeTextFileSync(`${dir}/token`, "0123456789abcdef\n");
    Deno.writeTextFileSync(
      `${dir}/c.yaml`,
      `
host: 0.0.0.0
port: 9000
max_full_read_size: 2048
transport: http
read_only: true
max_size_mb: 20
timeout_seconds: 30
log_format: text
log_level: warn
allowed_hosts: [Files.Example.com]
cors_origins: ["https://app.example.com:443"]
auth_token_file: token
roots:
  - name: data
    path: ${dir}/data
    allowed_tools: ["*"]
  - name: etc
    path: ./etc
    allowed_tools: [read_file, grep, grep]
    protect_git: false
`,
    );
    const config = await configOf([`--config=${dir}/c.yaml`]);
    assertEquals(rootsOf(config), {
      kind: "roots",
      roots: [
        { name: "data", path: `${dir}/data`, allowedTools: ["*"], protectGit: true },
        {
          name: "etc",
          path: `${dir}/etc`,
          allowedTools: ["read_file", "grep"],
          protectGit: false,
          readOnly: true,
        },
      ],
      maxFullReadSize: 2048,
    });
    assertEquals(httpOf(config), {
      kind: "http",
      host: "0.0.0.0",
      port: 9000,
      allowedHosts: ["files.example.com"],
      corsOrigins: ["https://app.example.com"],
      token: "0123456789abcdef",
    });
    assertEquals(
      [
        config.maxSize,
        config.timeoutMs,
        config.readOnly,
        config.logFormat,
        config.logLevel,
        config.configPath,
      ],
      [20 * 1024 * 1024, 30_000, true, "text", "warn", `${dir}/c.yaml`],
    );
  }));

Deno.test("loadConfig accepts a list that roots share by reference", () =>
  withTempDir(async (dir) => {
    Deno.mkdirSync(`${dir}/a`);
    Deno.mkdirSync(`${dir}/b`);
    Deno.writeTextFileSync(
      `${dir}/c.yaml`,
      "roots:\n- {name: a, path: a, allowed_tools: &ro [read_file]}\n- {name: b, path: b, allowed_tools: *ro}\n",
    );
    const { roots } = rootsOf(await configOf([`--config=${dir}/c.yaml`]));
    assertEquals(roots.map((root) => root.allowedTools), [["read_file"], ["read_file"]]);
  }));

Deno.test("loadConfig reports mistakes in single values with their lines", async () => {
  const cases: [lines: string, mistake: string][] = [
    ["port: 0", "port is 0, but must be a whole number from 1 to 65535; example: port: 8091"],
    ["port: 99999", "port is 99999, but must be a whole number from 1 to 65535; example: port: 8091"],
    ['port: "8091"', 'port is "8091", but must be a whole number from 1 to 65535; example: port: 8091'],
    ["port: [1]", "port is a list, but must be a whole number from 1 to 65535; example: port: 8091"],
    ["port:", "port is empty, but must be a whole number from 1 to 65535; example: port: 8091"],
    ["port: .nan", "port is NaN, but must be a whole number from 1 to 65535; example: port: 8091"],
    [
      "max_size_mb: 0.5",
      "max_size_mb is 0.5, but must be a whole number from 1 to 100; example: max_size_mb: 20",
    ],
    [
      "timeout_seconds: 301",
      "timeout_seconds is 301, but must be a whole number from 1 to 300; example: timeout_seconds: 30",
    ],
    [
      "max_full_read_size: -1",
      "max_full_read_size is -1, but must be a whole number from 1 to 104857600; example: max_full_read_size: 1048576",
    ],
    ["read_only: yes", 'read_only is "yes", but must be true or false; example: read_only: true'],
    ["transport: sse", 'transport is "sse", but must be stdio or http; example: transport: http'],
    ["log_format: {}", "log_format is a map, but must be text or json; example: log_format: json"],
    ["log_level: x", 'log_level is "x", but must be debug, info, warn or error; example: log_level: debug'],
    [
      "host: http://a",
      'host is "http://a", but must be a host name or IP address; example: host: 127.0.0.1',
    ],
    [
      "auth_token_file: 7",
      "auth_token_file is 7, but must be the path of a file that holds the token; " +
      "example: auth_token_file: /run/secrets/paddock_token",
    ],
    [
      "allowed_hosts: a",
      'allowed_hosts is "a", but must be a list of host names without a port; ' +
      'example: allowed_hosts: ["files.example.com"]',
    ],
    [
      'cors_origins: ["*"]',
      `cors_origins is "*", but must be a list of origins of the form http(s)://host[:port] ` +
      `('*' would let any web page the user visits read and change the files); ` +
      `example: cors_origins: ["https://app.example.com"]`,
    ],
    ["prot: 1", `unknown key "prot" (did you mean port?); allowed: ${KEYS}; example: ${SMALLEST}`],
    ["__proto__: 1", `unknown key "__proto__"; allowed: ${KEYS}; example: ${SMALLEST}`],
    ["constructor: 1", `unknown key "constructor"; allowed: ${KEYS}; example: ${SMALLEST}`],
    ["<<: { port: 1 }", `unknown key "<<"; allowed: ${KEYS}; example: ${SMALLEST}`],
    ["sandbox: false", `unknown key "sandbox"; allowed: ${KEYS}; example: ${SMALLEST}`],
  ];
  for (const [lines, mistake] of cases) {
    assertEquals(await mistakesIn(`# first\n${lines}\nroots: [${ROOT}]\n`), [`c.yaml:2: ${mistake}`]);
  }
});

Deno.test("loadConfig reports mistakes in roots with their lines", async () => {
  const cases: [root: string, mistake: string][] = [
    [
      "name: ''\n  path: data\n  allowed_tools: ['*']",
      `3: root number 1: name is "", but must be ${NAME_RULE}`,
    ],
    [
      "name: a b\n  path: data\n  allowed_tools: ['*']",
      `3: root "a b": name is "a b", but must be ${NAME_RULE}`,
    ],
    [
      "name: -a\n  path: data\n  allowed_tools: ['*']",
      `3: root "-a": name is "-a", but must be ${NAME_RULE}`,
    ],
    [
      "name: ../a\n  path: data\n  allowed_tools: ['*']",
      `3: root "../a": name is "../a", but must be ${NAME_RULE}`,
    ],
    [
      "name: 1\n  path: data\n  allowed_tools: ['*']",
      `3: root number 1: name is 1, but must be ${NAME_RULE}`,
    ],
    ["path: data\n  allowed_tools: ['*']", `3: root number 1: name is missing, but must be ${NAME_RULE}`],
    [
      "name: a\n  path: ''\n  allowed_tools: ['*']",
      `4: root "a": path is "", but must be the path of a directory; example: path: /srv/data`,
    ],
    [
      "name: a\n  allowed_tools: ['*']",
      `3: root "a": path is missing, but must be the path of a directory; example: path: /srv/data`,
    ],
    ["name: a\n  path: data", `3: root "a": allowed_tools is missing, but must be ${TOOLS_RULE}`],
    [
      "name: a\n  path: data\n  allowed_tools:",
      `5: root "a": allowed_tools is empty, but must be ${TOOLS_RULE}`,
    ],
    [
      "name: a\n  path: data\n  allowed_tools: []",
      `5: root "a": allowed_tools is an empty list, but must be ${TOOLS_RULE}`,
    ],
    [
      "name: a\n  path: data\n  allowed_tools: '*'",
      `5: root "a": allowed_tools is "*", but must be ${TOOLS_RULE}`,
    ],
    [
      "name: a\n  path: data\n  allowed_tools:\n    - grep\n    - 7",
      `7: root "a": allowed_tools is 7, but must be ${TOOLS_RULE}`,
    ],
    [
      "name: a\n  path: data\n  allowed_tools:\n    - grep\n    - nonexistent_tool",
      `7: root "a": unknown tool "nonexistent_tool"; allowed: *, ${TOOLS.join(", ")}; ` +
      "example: allowed_tools: [read_file, grep]",
    ],
    [
      "name: a\n  path: data\n  allowed_tools: [readfile]",
      `5: root "a": unknown tool "readfile" (did you mean read_file?); allowed: *, ${TOOLS.join(", ")}; ` +
      "example: allowed_tools: [read_file, grep]",
    ],
    [
      "name: a\n  path: data\n  allowed_tools: ['*']\n  protect_git: no",
      `6: root "a": protect_git is "no", but must be true or false; example: protect_git: true`,
    ],
    [
      "name: a\n  path: data\n  allowed_tools: ['*']\n  protectgit: false",
      `6: root "a": unknown key "protectgit" (did you mean protect_git?); ` +
      `allowed: name, path, allowed_tools, protect_git; example: ${ONE_ROOT}`,
    ],
    [
      "just text",
      `3: root number 1 is "just text", but must be a map with the keys name, path and allowed_tools; ` +
      `example: ${ONE_ROOT}`,
    ],
    [
      "name: a\n  path: nope\n  allowed_tools: ['*']",
      `4: root "a": path "nope" ("nope") does not exist, but must be an existing directory; example: path: /srv/data`,
    ],
    [
      "name: a\n  path: c.yaml\n  allowed_tools: ['*']",
      `4: root "a": path "c.yaml" ("c.yaml") is not a directory, but must be an existing directory; ` +
      `example: path: /srv/data`,
    ],
  ];
  for (const [root, mistake] of cases) {
    assertEquals(await mistakesIn(`\nroots:\n- ${root}\n`), [`c.yaml:${mistake}`], root);
  }
});

Deno.test("loadConfig refuses duplicate root names and directories", async () => {
  const two =
    "roots:\n- { name: data, path: data, allowed_tools: ['*'] }\n- { name: data, path: ./data/, allowed_tools: [grep] }\n";
  assertEquals(await mistakesIn(two), [
    'c.yaml:3: duplicate root name "data" (first on line 2), but must be unique; example: name: data-2',
    'c.yaml:3: root "data": path "./data/" ("data/") is the same as c.yaml:2: root "data": path "data" ("data"), ' +
    "but must be another directory; example: path: /srv/data",
  ]);
});

Deno.test("loadConfig never reads a broken or empty file as a configuration", async () => {
  const file = `the file is empty, but must be a map with at least the key roots; example: ${SMALLEST}`;
  const roots = `but must be a list of at least one root; example: ${SMALLEST}`;
  const config = "but must be a YAML file; example: paddock --config=paddock.yaml";
  const cases: [content: string | Uint8Array<ArrayBuffer>, mistakes: string[]][] = [
    ["", [`c.yaml:1: ${file}`]],
    ["# nothing\n", [`c.yaml:1: ${file}`]],
    ["~\n", [`c.yaml:1: ${file}`]],
    ["- a\n", [
      `c.yaml:1: the file is a list, but must be a map with at least the key roots; example: ${SMALLEST}`,
    ]],
    ["x", [`c.yaml:1: the file is "x", but must be a map with at least the key roots; example: ${SMALLEST}`]],
    ["port: 1\n", [`c.yaml:1: roots is missing, ${roots}`]],
    ["\nroots: []\n", [`c.yaml:2: roots is an empty list, ${roots}`]],
    ["\nroots:\n", [`c.yaml:2: roots is empty, ${roots}`]],
    ["roots: {}\n", [`c.yaml:1: roots is a map, ${roots}`]],
    ["port: 1\r\nport: 2\r\n", ['c.yaml:2: the key "port" is given twice, but must be given once']],
    [
      `roots: [${ROOT}]\n'roots': []\n`,
      ['c.yaml:2: the key "roots" is given twice, but must be given once'],
    ],
    ["a:\n\t- 1\n", ["c.yaml:2: not valid YAML: Tabs are not allowed as indentation"]],
    ['a: "x\nb: 1\n', ['c.yaml:3: not valid YAML: Missing closing "quote']],
    [
      `roots: [${ROOT}]\n---\nroots: []\n`,
      ["c.yaml:2: a second YAML document begins here, but the file must contain only one"],
    ],
    ["port: !secret 1\n", ["c.yaml:1: not valid YAML: Unresolved tag: !secret"]],
    [
      "a: *x\nroots: *y\n",
      [
        'c.yaml:1: "*x" refers to nothing, but must name an &anchor above it',
        'c.yaml:2: "*y" refers to nothing, but must name an &anchor above it',
      ],
    ],
    [new Uint8Array([0xff, 0xfe, 0x00]), [`the config file "c.yaml" is not UTF-8 text, ${config}`]],
    ["#".repeat(1024 * 1024 + 1), [`the config file "c.yaml" is larger than 1048576 bytes, ${config}`]],
  ];
  for (const [content, mistakes] of cases) assertEquals(await mistakesIn(content), mistakes);
});

Deno.test("loadConfig refuses references that multiply", async () => {
  const laughs = ["a: &a [x]"];
  for (let i = 1; i < 10; i++) {
    const [name, below] = ["abcdefghij".charAt(i), "abcdefghij".charAt(i - 1)];
    laughs.push(`${name}: &${name} [${Array(9).fill(`*${below}`).join(", ")}]`);
  }
  const text = "too many references to anchors, but must be at most 64 once expanded";
  assertEquals(await mistakesIn(laughs.join("\n")), [`c.yaml:2: ${text}`]);
});

Deno.test("loadConfig survives a list inside itself and endless nesting", async () => {
  const [own = ""] = await mistakesIn("roots: &a [*a]\n");
  assertStringIncludes(own, "c.yaml:1: root number 1 is a list, but must be a map");
  const nested = await mistakesIn("roots: " + "[".repeat(20_000));
  assertEquals(nested.length, 1);
  assertStringIncludes(nested.join(), "c.yaml:1: not valid YAML: ");
});

Deno.test("loadConfig does not show the text around a syntax error, which may be a secret", async () => {
  const mistakes = await mistakesIn('password: "s3cr3t\n');
  assertEquals(mistakes.length, 1);
  assertEquals(mistakes.join().includes("s3cr3t"), false);
});

Deno.test("loadConfig reports mistakes in flags, keys, tools and paths all at once, keys in order of lines", async () => {
  await withTempDir(async (dir) => {
    Deno.writeTextFileSync(
      `${dir}/c.yaml`,
      "port: x\nroots:\n- name: a\n  path: nope\n  allowed_tools: [nope]\n- name: a\n  path: nope2\n  allowed_tools: ['*']\nhots: 1\n",
    );
    const mistakes = await mistakesOf([`--config=${dir}/c.yaml`, "--timeout=0", "--prot=1"]);
    const starts = mistakes.map((text) => text.replaceAll(`${dir}/`, "").split(" ").slice(0, 3).join(" "));
    assertEquals(starts, [
      'unknown flag "--prot"',
      '--timeout is "0",',
      "c.yaml:1: port is",
      'c.yaml:5: root "a":',
      "c.yaml:6: duplicate root",
      "c.yaml:9: unknown key",
      'c.yaml:4: root "a":',
      'c.yaml:7: root "a":',
    ]);
  });
});

Deno.test("configFileSchema can be converted to JSON Schema, with every key", () => {
  const schema = JSON.parse(JSON.stringify(z.toJSONSchema(configFileSchema)));
  assertEquals(schema.additionalProperties, false);
  assertEquals(schema.required, ["roots"]);
  const records: readonly FlagRecord[] = FLAGS;
  for (const { fileKey } of records) {
    if (fileKey !== undefined) assert(fileKey in schema.properties, fileKey);
  }
  assertEquals(schema.properties.roots.items.required, ["name", "path", "allowed_tools"]);
});
