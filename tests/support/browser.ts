/**
 * A real browser, for tests, benchmarks and screenshots: the executable that PADDOCK_BROWSER names, or the one from
 * the package, unpacked to a folder that is removed with it, or an installed one.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "../packages/browser.ts";
import { inflate, PARTS } from "../packages/chromium.ts";
import { exists, givenBrowser, installedBrowser, isPacked } from "./find_browser.ts";
import { tempFolder } from "./temp.ts";

export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #folder: Disposable;

  private constructor(browser: Browser, folder: Disposable) {
    this.#browser = browser;
    this.#folder = folder;
  }

  static async start(): Promise<TestBrowser> {
    const folder = tempFolder();
    try {
      const given = givenBrowser() ?? (isPacked() ? undefined : installedBrowser());
      const { path, env } = given === undefined ? await unpack(folder.path) : { path: given, env: {} };
      const browser = await chromium.launch({
        executablePath: path,
        args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
        env: { ...Deno.env.toObject(), ...env, HOME: folder.path, TMPDIR: folder.path },
      });
      return new TestBrowser(browser, folder);
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** Another person's browser: it shares no cookie with the others. */
  async context(options: Parameters<Browser["newContext"]>[0] = {}): Promise<TestContext> {
    return new TestContext(
      await this.#browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    this.#folder[Symbol.dispose]();
  }
}

/** Records what no page of ours may ever do. */
export class TestContext implements AsyncDisposable {
  readonly context: BrowserContext;
  /** Scripts that failed, dialogs, violations of the content policy, requests to other servers. */
  readonly faults: string[] = [];

  constructor(context: BrowserContext) {
    this.context = context;
    context.on("weberror", (error) => this.faults.push(`error: ${error.error().stack}`));
    context.on("dialog", async (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    context.on("console", (message) => {
      const text = message.text();
      if (/content security policy|requires 'Trusted/i.test(text)) this.faults.push(`policy: ${text}`);
    });
    context.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol !== "data:" && hostname !== "127.0.0.1") this.faults.push(`request: ${request.url()}`);
    });
  }

  async page(url: string): Promise<Page> {
    const page = await this.context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(url);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}

/** The browser and the libraries that a bare system does not have. */
async function unpack(folder: string): Promise<{ path: string; env: Record<string, string> }> {
  const before = Deno.env.get("TMPDIR");
  Deno.env.set("TMPDIR", folder); // which is where it unpacks
  const parts = ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((name) =>
    inflate(pathOf(new URL(name, PARTS)))
  );
  if (before === undefined) Deno.env.delete("TMPDIR");
  else Deno.env.set("TMPDIR", before);
  const [path = ""] = await Promise.all(parts);
  return {
    path,
    env: {
      LD_LIBRARY_PATH: `${folder}/al2023/lib`,
      ...(exists("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: `${folder}/fonts` }),
    },
  };
}

function pathOf({ pathname }: URL): string {
  return decodeURIComponent(pathname);
}
