/**
 * Tests by the numbers of the roots surface's specification, each against the real process over HTTP, some of them
 * over stdio as well. The tests of a file share one server for each transport, and each has its own root there, which
 * nobody else writes to.
 */
import { type Need, needs } from "../../support/needs.ts";
import { type Arguments, type RootSettings, RootsFixture, type Transport } from "../roots_fixture.ts";

const HTTP: readonly Transport[] = ["http"];
export const HTTP_AND_STDIO: readonly Transport[] = ["http", "stdio"];
export const ON_POSIX: TestOptions = { needs: ["Unix"] };

export interface SuiteOptions {
  /** Roots that all tests share, with their allowlists, in addition to those of single tests. */
  roots?: Record<string, string[]>;
  /** Whether each test has its own root. */
  ownRoots?: boolean;
  /** More lines for the config file. */
  settings?: string;
}

/** What a test works with. */
export interface Given {
  readonly server: RootsFixture;
  /** The name of the test's own root. */
  readonly root: string;
  /** Arguments for a path in that root. */
  at(path: string, rest?: Arguments): Arguments;
  /** Writes a file in that root, and returns its absolute path. */
  write(path: string, content: string | Uint8Array): string;
  mkdir(path: string): void;
  read(path: string): string;
  ok: RootsFixture["ok"];
  text: RootsFixture["text"];
  refused: RootsFixture["refused"];
}

export interface TestOptions {
  over?: readonly Transport[];
  needs?: readonly Need[];
}

export type Register = (name: string, test: (given: Given) => Promise<void>, options?: TestOptions) => void;

/** The function that registers a file's tests; a name is "E2E-001: what is shown". */
export function suite(options: SuiteOptions = {}): Register {
  const { roots = {}, ownRoots = true, settings = "" } = options;
  const servers = new Map<Transport, RootsFixture>();
  const used = new Set<Transport>();
  const settingsOf: RootSettings[] = Object.entries(roots).map(([name, tools]) => ({
    name,
    path: name,
    tools,
  }));
  Deno.test.beforeAll(async () => {
    const start = async (transport: Transport) => {
      servers.set(transport, await RootsFixture.start(settingsOf, { transport, settings }));
    };
    await Promise.all([...used].map(start));
  });
  Deno.test.afterAll(async () => {
    for (const server of servers.values()) await server[Symbol.asyncDispose]();
  });
  return (name, test, { over = HTTP, needs: needed = [] } = {}) => {
    const root = `ws-${name.slice("E2E-".length, "E2E-000".length)}`;
    if (ownRoots) settingsOf.push({ name: root, path: root, tools: ["*"] });
    for (const transport of over) {
      used.add(transport);
      Deno.test({
        ...needs(...needed)(transport === "http" ? name : `${name} (${transport})`),
        fn: async () => {
          const server = servers.get(transport);
          if (server === undefined) throw new Error("the server was not started");
          await test(givenFor(server, root));
        },
      });
    }
  };
}

function givenFor(server: RootsFixture, root: string): Given {
  const { folder } = server;
  return {
    server,
    root,
    at: (path, rest = {}) => ({ root, path, ...rest }),
    write: (path, content) => folder.write(`${root}/${path}`, content),
    mkdir: (path) => Deno.mkdirSync(`${folder.path}/${root}/${path}`, { recursive: true }),
    read: (path) => folder.read(`${root}/${path}`),
    ok: (name, args) => server.ok(name, args),
    text: (name, args) => server.text(name, args),
    refused: (name, args) => server.refused(name, args),
  };
}
