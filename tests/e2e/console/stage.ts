/**
 * Two roots and a folder of workspaces, agents that change files in them over stdio, and the console that a person
 * watches.
 */
import { assertEquals } from "@std/assert";
import type { Locator, Page } from "../../packages/browser.ts";
import { TestBrowser, type TestContext } from "../../support/browser.ts";
import { ConsoleProcess } from "../../support/console.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";

export class Stage implements AsyncDisposable {
  readonly #agents = new Map<string, Promise<TestServer>>();
  readonly #browser: Promise<TestBrowser>;
  /** Browsers that are not in use. */
  readonly #idle: Person[] = [];
  readonly base: TempFolder = tempFolder();
  console: ConsoleProcess;

  constructor() {
    for (const name of ["app", "docs", "spaces"]) Deno.mkdirSync(`${this.base.path}/${name}`);
    this.console = new ConsoleProcess({ args: [...this.roots, this.workspaces] });
    this.#browser = TestBrowser.start();
  }

  get roots(): string[] {
    return [`${this.base.path}/app`, `${this.base.path}/docs`, `--undo-dir=${this.base.path}/undo`];
  }

  get workspaces(): string {
    return `--workspaces-root=${this.base.path}/spaces`;
  }

  /** A separate process for each name, as an agent starts it. */
  async agent(name: string, args = this.roots): Promise<Agent> {
    const server = this.#agents.get(name) ?? start(name, args);
    this.#agents.set(name, server);
    return new Agent(await server);
  }

  /** The first address printed, then a new one each time, requested with Enter. */
  async address(): Promise<string> {
    const address = this.console.line();
    await this.console.enter();
    return await address;
  }

  /** A visitor with a browser that has the page open. A context is reused if nothing in it was changed. */
  async person(): Promise<Person> {
    const idle = this.#idle.pop();
    if (idle === undefined) {
      return await this.visitor(await this.address(), (person) => this.#idle.push(person));
    }
    await idle.page.setViewportSize(VIEWPORT);
    await idle.page.evaluate("localStorage.clear()");
    await idle.goTo("");
    return idle;
  }

  /** A new visitor, with this address open. */
  async visitor(
    address: string,
    leave: Leave = ({ context }) => context[Symbol.asyncDispose](),
  ): Promise<Person> {
    const context = await (await this.#browser).context({ viewport: VIEWPORT, reducedMotion: "reduce" });
    const person = new Person(context, await context.page(address), leave);
    await person.page.locator(".live.is-live").waitFor();
    return person;
  }

  /** The console ends, and another process takes over its port. */
  async restart(between: () => Promise<void>): Promise<void> {
    const { port } = this.console;
    this.#idle.length = 0; // their sessions end with it
    await this.console[Symbol.asyncDispose]();
    await between();
    this.console = new ConsoleProcess({ args: [...this.roots, this.workspaces], port });
    await this.console.line(); // it listens
  }

  async terminal(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runToEnd([...args, `--undo-dir=${this.base.path}/undo`]);
    assertEquals([code, code === 0 ? "" : stderr], [0, ""]);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#browser)[Symbol.asyncDispose]();
    const agents = await Promise.all(this.#agents.values());
    await Promise.all([this.console, ...agents].map((one) => one[Symbol.asyncDispose]()));
    this.base[Symbol.dispose]();
  }
}

/** What happens to a browser that is no longer in use. */
type Leave = (person: Person) => unknown;

const VIEWPORT = { width: 1280, height: 800 };

async function start(name: string, args: string[]): Promise<TestServer> {
  const server = new TestServer(args);
  await server.initialize(undefined, name);
  return server;
}

export class Agent {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** Calls a tool that changes something; returns the change's id. */
  async change(tool: string, args: Record<string, unknown>): Promise<string> {
    const { isError, text, value } = await this.server.call(tool, args);
    if (isError) throw new Error(`${tool}: ${text}`);
    return value.change;
  }

  write(path: string, content: string, root = "app"): Promise<string> {
    return this.change("write_file", { root, path, content });
  }

  /** The same in a workspace; returns the commit. */
  async commit(workspaceId: string, path: string, content: string): Promise<string> {
    const { isError, text, value } = await this.server.call("fs_write_file", { workspaceId, path, content });
    if (isError) throw new Error(text);
    return value.commit;
  }
}

export class Person implements AsyncDisposable {
  readonly context: TestContext;
  readonly page: Page;
  readonly #leave: Leave;

  constructor(context: TestContext, page: Page, leave: Leave) {
    this.context = context;
    this.page = page;
    this.#leave = leave;
  }

  row(id: string): Locator {
    return this.page.locator(`[data-change-id="${id}"]`);
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Opens a change by a click, and waits for its files. */
  async open(id: string): Promise<void> {
    await this.row(id).click();
    await this.pane(id).locator(".file").first().waitFor();
  }

  /** The change with this id beside the list, once it is complete. */
  pane(id: string): Locator {
    return this.page.locator(".change-pane[aria-busy=false]", {
      has: this.page.locator(".pane-id", { hasText: id }),
    });
  }

  /** The lines of the first diff there, with their signs. */
  async lines(within = ".change-pane"): Promise<string[]> {
    const codes = this.page.locator(`${within} .diff`).first().locator(".code");
    return (await codes.allInnerTexts()).map((text) => text.replace("\n", "").replace("−", "-"));
  }

  /** Reloads the page. */
  async goTo(search: string): Promise<void> {
    await this.page.goto(new URL(`/console${search}`, this.page.url()).href);
    await this.page.locator(".live.is-live").waitFor();
  }

  /** Navigates within the page, as its own links do. */
  async turnTo(search: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, "", "/console" + ${JSON.stringify(search)});` +
        `dispatchEvent(new PopStateEvent("popstate"))`,
    );
  }

  /** Ends the visit: nothing bad may have happened in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave(this);
    assertEquals(this.context.faults.splice(0), []);
  }
}
