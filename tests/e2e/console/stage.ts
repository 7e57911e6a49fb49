/** Two roots, agents that change files in them over stdio, and the console that a person looks at. */
import { assertEquals } from "@std/assert";
import type { Locator, Page } from "../../packages/browser.ts";
import { type TestBrowser, type TestContext } from "../../support/browser.ts";
import { ConsoleProcess } from "../../support/console.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";

export class Stage implements AsyncDisposable {
  readonly #agents = new Map<string, TestServer>();
  readonly browser: TestBrowser;
  readonly base: TempFolder = tempFolder();
  console: ConsoleProcess;

  private constructor(browser: TestBrowser) {
    this.browser = browser;
    Deno.mkdirSync(`${this.base.path}/app`);
    Deno.mkdirSync(`${this.base.path}/docs`);
    this.console = new ConsoleProcess({ args: this.args });
  }

  static async open(browser: TestBrowser): Promise<Stage> {
    const stage = new Stage(browser);
    stage.url = await stage.console.line();
    return stage;
  }

  /** Of the first page; it is good once. */
  url = "";

  get args(): string[] {
    return [`${this.base.path}/app`, `${this.base.path}/docs`, `--undo-dir=${this.base.path}/undo`];
  }

  /** A process of its own for each name, as an agent starts it. */
  async agent(name: string): Promise<Agent> {
    const known = this.#agents.get(name);
    if (known !== undefined) return new Agent(known);
    const server = new TestServer(this.args);
    this.#agents.set(name, server);
    await server.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name, version: "1" },
    });
    await server.notify("notifications/initialized");
    return new Agent(server);
  }

  /** One that is good still: the first, or a fresh one, as a person asks for it by Enter. */
  async address(): Promise<string> {
    const { url } = this;
    this.url = "";
    if (url !== "") return url;
    await this.console.enter();
    return await this.console.line();
  }

  /** Another person's browser, with the page open. */
  async person(options: Parameters<TestBrowser["context"]>[0] = {}): Promise<Person> {
    const context = await this.browser.context({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.page(await this.address());
    await page.locator(".live.is-live").waitFor();
    return new Person(context, page);
  }

  /** The console ends, and another process takes its port. */
  async restart(between: () => Promise<void>): Promise<void> {
    const { port } = this.console;
    await this.console[Symbol.asyncDispose]();
    await between();
    this.console = new ConsoleProcess({ args: this.args, port });
    this.url = await this.console.line();
  }

  async terminal(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runToEnd([...args, `--undo-dir=${this.base.path}/undo`]);
    assertEquals([code, code === 0 ? "" : stderr], [0, ""]);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents.values()) await agent[Symbol.asyncDispose]();
    await this.console[Symbol.asyncDispose]();
    this.base[Symbol.dispose]();
  }
}

export class Agent {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** Calls a tool that changes something; gives the change's id. */
  async change(tool: string, args: Record<string, unknown>): Promise<string> {
    const { isError, text, value } = await this.server.call(tool, args);
    if (isError) throw new Error(`${tool}: ${text}`);
    return value.change;
  }

  write(path: string, content: string, root = "app"): Promise<string> {
    return this.change("write_file", { root, path, content });
  }
}

export class Person implements AsyncDisposable {
  readonly context: TestContext;
  readonly page: Page;

  constructor(context: TestContext, page: Page) {
    this.context = context;
    this.page = page;
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
    await this.page.locator(".pane-id", { hasText: id }).waitFor();
    await this.page.locator(".change-pane .file").first().waitFor();
  }

  /** The lines of the first diff there, with their signs. */
  async lines(within = ".change-pane"): Promise<string[]> {
    const codes = this.page.locator(`${within} .diff`).first().locator(".code");
    return (await codes.allInnerTexts()).map((text) => text.replace("\n", "").replace("−", "-"));
  }

  async goTo(search: string): Promise<void> {
    await this.page.goto(new URL(`/console${search}`, this.page.url()).href);
    await this.page.locator(".live.is-live").waitFor();
  }

  /** Ends the visit: nothing bad may have happened in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { faults } = this.context;
    await this.context[Symbol.asyncDispose]();
    assertEquals(faults, []);
  }
}
