import { assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { parseCommandLine } from "../../src/cli/parse.ts";

Deno.test("parseCommandLine reads flags, directories and their mixtures", () => {
  const cases: [args: string[], dirs: string[], flags: Record<string, unknown>][] = [
    [["a", "b"], ["a", "b"], {}],
    [["--port=8091", "a"], ["a"], { port: 8091 }],
    [["--port", "8091", "a"], ["a"], { port: 8091 }],
    [["a", "--read-only", "b"], ["a", "b"], { "read-only": true }],
    [["--read-only", "true", "false"], ["true", "false"], { "read-only": true }],
    [["--read-only=false", "a"], ["a"], { "read-only": false }],
    [["--read-only", "--read-only", "a"], ["a"], { "read-only": true }],
    [["--no-sandbox", "a"], ["a"], { "no-sandbox": true }],
    [["--no-sandbox=false", "a"], ["a"], { "no-sandbox": false }],
    [["--", "--port=1", "-h", "--no-x"], ["--port=1", "-h", "--no-x"], {}],
    [["--", "--port=1", "-h"], ["--port=1", "-h"], {}],
    [["007", "1e3"], ["007", "1e3"], {}],
    [["--config=c.yaml"], [], { config: "c.yaml" }],
    [["--config=a=b"], [], { config: "a=b" }],
    [["--dir=notes"], [], { dir: "notes" }],
    [["--dir", "notes", "--port=8080"], [], { dir: "notes", port: 8080 }],
    [["--allowed-hosts=A,b", "--allowed-hosts", "b,c", "d"], ["d"], { "allowed-hosts": ["a", "b", "c"] }],
    [["--cors-origin=http://a:80,https://b", "d"], ["d"], { "cors-origin": ["http://a", "https://b"] }],
    [["--transport=http", "--log-format=json", "--log-level=warn", "d"], ["d"], {
      transport: "http",
      "log-format": "json",
      "log-level": "warn",
    }],
    [["--max-size=1", "--timeout=300", "--host=::1", "d"], ["d"], {
      "max-size": 1,
      timeout: 300,
      host: "::1",
    }],
  ];
  for (const [args, dirs, flags] of cases) {
    const line = parseCommandLine(args);
    assertEquals({ dirs: line.dirs, flags: { ...line.flags }, mistakes: line.mistakes }, {
      dirs,
      flags,
      mistakes: [],
    });
  }
});

Deno.test("parseCommandLine knows short names of flags", () => {
  assertEquals(parseCommandLine(["-h"]).flags.help, true);
  assertEquals(parseCommandLine(["-V"]).flags.version, true);
});

Deno.test("parseCommandLine reports every mistake with what was given, what is allowed and an example", () => {
  const cases: [args: string[], mistakes: string[]][] = [
    [["--port=0", "d"], ['--port is "0", but must be a whole number from 1 to 65535; example: --port=8091']],
    [["--port=65536", "d"], [
      '--port is "65536", but must be a whole number from 1 to 65535; example: --port=8091',
    ]],
    [["--port", "--read-only", "d"], [
      "--port has no value, but must be a whole number from 1 to 65535; example: --port=8091",
    ]],
    [["--port=", "d"], [
      "--port has no value, but must be a whole number from 1 to 65535; example: --port=8091",
    ]],
    [["--port=1", "--port=2", "d"], [
      '--port is given 2 times ("1", "2"), but must be given once; example: --port=8091',
    ]],
    [["--transport=sse", "d"], [
      '--transport is "sse", but must be stdio or http; example: --transport=http',
    ]],
    [["--max-size=101", "d"], [
      '--max-size is "101", but must be a whole number from 1 to 100; example: --max-size=20',
    ]],
    [["--timeout=1.5", "d"], [
      '--timeout is "1.5", but must be a whole number from 1 to 300; example: --timeout=30',
    ]],
    [["--log-format=xml", "d"], [
      '--log-format is "xml", but must be text or json; example: --log-format=json',
    ]],
    [["--log-level=trace", "d"], [
      '--log-level is "trace", but must be debug, info, warn or error; example: --log-level=debug',
    ]],
    [["--read-only=no", "d"], ['--read-only is "no", but must be true or false; example: --read-only']],
    [["--no-sandbox=0", "d"], ['--no-sandbox is "0", but must be true or false; example: --no-sandbox']],
    [["--host=a:1", "d"], [
      '--host is "a:1", but must be a host name or IP address (the port has its own setting); example: --host=127.0.0.1',
    ]],
    [["--cors-origin=*", "d"], [
      '--cors-origin is "*", but must be origins of the form http(s)://host[:port], separated by commas ' +
      "('*' would let any web page the user visits read and change the files); " +
      "example: --cors-origin=https://app.example.com",
    ]],
    [["--prot=1", "d"], [
      'unknown flag "--prot" (did you mean --port?); paddock --help lists all flags; example: --port=8091',
    ]],
    [["-port=1", "d"], [
      'unknown flag "-port" (did you mean --port?); paddock --help lists all flags; example: --port=8091',
    ]],
    [["--no-read-only=true", "d"], [
      'unknown flag "--no-read-only" (did you mean --read-only?); paddock --help lists all flags; example: --read-only',
    ]],
    [["--no-port=1", "d"], [
      'unknown flag "--no-port" (did you mean --port?); paddock --help lists all flags; example: --port=8091',
    ]],
    [["--frobnicate", "d"], [
      'unknown flag "--frobnicate"; paddock --help lists all flags; ' +
      "example: paddock --read-only ~/notes ~/projects/site",
    ]],
    [["d", "--config=c.yaml"], [
      'the command line has "d" and --config="c.yaml", but must be only one of these: directories, --config, ' +
      "--dir or --workspaces-root; example: paddock --config=paddock.yaml",
    ]],
    [["d", "e", "--dir=f"], [
      'the command line has "d", "e" and --dir="f", but must be only one of these: directories, --config, ' +
      "--dir or --workspaces-root; example: paddock --config=paddock.yaml",
    ]],
    [["--config=c.yaml", "--dir=f"], [
      'the command line has --config="c.yaml" and --dir="f", but must be only one of these: directories, ' +
      "--config, --dir or --workspaces-root; example: paddock --config=paddock.yaml",
    ]],
    [["--dir="], ["--dir has no value, but must be the path of a directory; example: --dir=/srv/notes"]],
    [["--dir=a", "--dir=b"], [
      '--dir is given 2 times ("a", "b"), but must be given once; example: --dir=/srv/notes',
    ]],
    [["--config="], [
      "--config has no value, but must be the path of a YAML file; example: --config=paddock.yaml",
    ]],
    [[""], [
      'a directory is "", but must be the path of a directory (was a variable empty?); example: paddock .',
    ]],
  ];
  for (const [args, mistakes] of cases) {
    assertEquals(parseCommandLine(args).mistakes, mistakes, args.join(" "));
  }
});

Deno.test("parseCommandLine gives examples when there is nothing to serve", () => {
  for (const args of [[], ["--read-only"], ["--transport=http"]]) {
    const [mistake = "", ...others] = parseCommandLine(args).mistakes;
    assertMatch(
      mistake,
      /^nothing to serve: give one or more directories, --config=FILE, --dir=DIR or --workspaces-root=DIR; examples:\n {2}paddock \.\n/,
    );
    assertStringIncludes(mistake, "\n  paddock --config=paddock.yaml\n  paddock --dir=/srv/notes");
    assertEquals(others, []);
  }
});

Deno.test("parseCommandLine collects all mistakes", () => {
  const { mistakes } = parseCommandLine(
    ["--prot=1", "--port=x", "--transport=x", "--timeout=0"],
    (name) => name,
  );
  assertEquals(mistakes.length, 5);
});

Deno.test("parseCommandLine never repeats the value of an unknown flag, which may be a secret", () => {
  for (const args of [["--auth-token=s3cr3t\nx", "d"], ["--auth-token", "s3cr3t", "d"], ["-t=s3cr3t", "d"]]) {
    const { mistakes } = parseCommandLine(args);
    assertEquals(mistakes.length, 1);
    assertNotMatch(mistakes.join(), /s3cr3t/);
  }
});

Deno.test("parseCommandLine reads the environment where no flag is given", () => {
  const variables: Record<string, string> = { MCP_TRANSPORT: "http", PORT: "9000", PADDOCK_TOKEN: "t" };
  const env = (name: string) => variables[name];
  assertEquals({ ...parseCommandLine(["d"], env).env }, { transport: "http", port: 9000 });
  assertEquals({ ...parseCommandLine(["--port=1", "d"], env).env }, { transport: "http" });
  assertEquals(parseCommandLine(["d"], env).envToken, "t");
  assertEquals(parseCommandLine(["--auth-token-file=f", "d"], env).envToken, undefined);
  assertEquals({ ...parseCommandLine(["d"]).env }, {});
});

Deno.test("parseCommandLine treats an empty variable as absent, except for the token", () => {
  const line = parseCommandLine(["d"], () => "");
  assertEquals({ ...line.env }, {});
  assertEquals([line.mistakes, line.httpMistakes, line.envToken], [[], [], ""]);
});

Deno.test("parseCommandLine keeps mistakes in variables that only http reads separate", () => {
  const line = parseCommandLine(["d"], () => "x");
  assertEquals(line.mistakes, [
    'the environment variable MCP_TRANSPORT is "x", but must be stdio or http; example: MCP_TRANSPORT=http',
    'the environment variable PADDOCK_NO_UNDO is "x", but must be true or false; example: PADDOCK_NO_UNDO=true',
  ]);
  assertEquals(line.httpMistakes, [
    'the environment variable PORT is "x", but must be a whole number from 1 to 65535; example: PORT=8091',
  ]);
});
