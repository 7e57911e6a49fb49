/**
 * The console as browsers see it: its page, and the API that the page uses. It has no permission for any file:
 * questions go to the viewer, and what a person has confirmed goes to the hand.
 */
import type { Logger } from "../../base/log.ts";
import type { SpawnConsole } from "../../base/spawn.ts";
import { VERSION } from "../../base/version.ts";
import type { Overview, Session as SessionAnswer, Sources } from "../api_types.ts";
import type { ViewEvent } from "../messages.ts";
import { openApi } from "../openapi.ts";
import type { REQUESTS } from "../schemas.ts";
import { answer, failure, json, plainPage } from "./answers.ts";
import { clearCookie, cookieIn, setCookie } from "./cookies.ts";
import { EventHub } from "./event_hub.ts";
import { failureOf } from "./failures.ts";
import { Gate, type GateConfig } from "./gate.ts";
import type { Connected, LiveCalls } from "./live_calls.ts";
import { checkedBody, checkedQuery } from "./requests.ts";
import { type Session, Sessions } from "./sessions.ts";
import { Staff } from "./staff.ts";

/** A server behind the console whose calls can be shown. */
export interface LiveServer {
  readonly calls: LiveCalls;
  readonly surface: string;
  readonly startedAt: number;
  connected(): readonly Connected[];
}

export interface FrontOptions {
  readonly gate: GateConfig;
  /** What is listened on. */
  readonly port: () => number;
  readonly spawn: SpawnConsole;
  readonly log: Logger;
  readonly live?: LiveServer | undefined;
}

/** How often figures are sent. */
const OVERVIEW_MS = 2_000;
/** How many questions are answered at once; each may take as much memory as a diff. */
const MOST_AT_ONCE = 64;
/** How long a question may take. */
const QUESTION_MS = 30_000;
const PREFIX = "/console";
const API = `${PREFIX}/api/`;
const USED_LINK =
  "This link has already been used, or has expired. Press Enter in the terminal where paddock runs to get a new one.";

export function isConsolePath(pathname: string): boolean {
  return pathname === PREFIX || pathname.startsWith(`${PREFIX}/`);
}

interface Asking {
  readonly request: Request;
  readonly url: URL;
  readonly session: Session;
  readonly signal: AbortSignal;
}

type Route = (asking: Asking) => Response | Promise<Response>;

export class ConsoleFront {
  readonly #options: FrontOptions;
  readonly #sessions = new Sessions();
  readonly #instance = crypto.randomUUID();
  readonly #hub = new EventHub((isThere) => this.#audience(isThere));
  readonly #view: Staff;
  readonly #hand: Staff;
  readonly #routes: Readonly<Record<"GET" | "POST", Readonly<Record<string, Route>>>>;
  #gate: Gate;
  #asked = 0;
  #overview: ReturnType<typeof setInterval> | undefined;
  #toldOverview = "";

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#gate = new Gate(options.gate);
    const { spawn, log, live } = options;
    const onLost = (why: string) => {
      log.warn("console_worker_lost", { reason: why });
      setTimeout(() => this.#watchAgain().catch(() => {}), LOST_MS); // the next request reports it
    };
    this.#view = new Staff({ role: "view", spawn, onTold: (told) => this.#told(told as ViewEvent), onLost });
    this.#hand = new Staff({ role: "hand", spawn, onLost });
    if (live !== undefined) live.calls.onCall = (call) => this.#hub.tell("call", call);
    this.#routes = { GET: this.#questions(), POST: this.#deeds() };
  }

  /** An address that opens the page, once. */
  newToken(token?: string): Promise<string> {
    return this.#sessions.newToken(token);
  }

  /** Starts the viewer, so that it is ready for the first question. */
  warmUp(): void {
    this.#view.ask("ready", undefined).catch(() => {}); // the first question reports it
  }

  /** Takes over the new rules of who may come in. */
  reload(gate: GateConfig): void {
    this.#gate = new Gate(gate);
  }

  /** `welcome` is called for a client that has been let in. */
  async handle(request: Request, welcome: () => void = () => {}): Promise<Response> {
    const url = URL.parse(request.url) ?? new URL(`http://localhost${API}`); // a Host that no URL can have is refused
    const isApi = url.pathname.startsWith(API);
    const refusal = this.#gate.check(request, { isApi });
    if (refusal !== undefined) return refusal;
    try {
      return isApi ? await this.#api(request, { url, welcome }) : await this.#page(request, url);
    } catch (error) {
      return failureOf(error, this.#options.log);
    }
  }

  close(): void {
    clearInterval(this.#overview);
    this.#hub.close();
    this.#sessions.endAll();
    this.#view.close();
    this.#hand.close();
  }

  async #page(request: Request, url: URL): Promise<Response> {
    const isHead = request.method === "HEAD";
    if (request.method !== "GET" && !isHead) {
      return failure("METHOD_NOT_ALLOWED", "allowed: GET, HEAD", { headers: { allow: "GET, HEAD" } });
    }
    if (url.searchParams.has("token")) return await this.#letIn(request, url);
    const { PAGE } = await import("../page.ts");
    const name = url.pathname.slice(PREFIX.length).replace(/^\//, "");
    const file = Object.hasOwn(PAGE, name) ? PAGE[name] : undefined;
    if (file === undefined) return failure("NOT_FOUND", "there is no such page; the console is at /console");
    return answer(isHead ? null : file.body, { headers: { "content-type": file.type } });
  }

  /** The token leaves the address bar at once. A browser that only prefetches does not use it up. */
  async #letIn(request: Request, url: URL): Promise<Response> {
    const isAdvance = /prefetch|prerender/.test(
      request.headers.get("sec-purpose") ?? request.headers.get("purpose") ?? "",
    );
    if (request.method !== "GET" || isAdvance) return plainPage(403, "Open this link yourself.");
    const secret = await this.#sessions.exchange(url.searchParams.get("token") ?? "");
    if (secret === undefined) return plainPage(403, USED_LINK);
    this.warmUp();
    const rest = new URLSearchParams([...url.searchParams].filter(([name]) => name !== "token")).toString();
    return answer(null, {
      status: 303,
      headers: {
        location: `${PREFIX}${rest === "" ? "" : `?${rest}`}`,
        "set-cookie": setCookie(this.#options.port(), secret),
      },
    });
  }

  async #api(request: Request, { url, welcome }: { url: URL; welcome: () => void }): Promise<Response> {
    const session = await this.#sessions.find(this.#secretOf(request));
    if (session === undefined) {
      return failure(
        "UNAUTHENTICATED",
        "there is no session: open the link that paddock prints in its terminal",
      );
    }
    welcome();
    const name = url.pathname.slice(API.length);
    const { method } = request;
    const own = method === "GET" || method === "POST" ? this.#routes[method] : {};
    const route = Object.hasOwn(own, name) ? own[name] : undefined;
    if (route !== undefined) return await this.#bounded(route, { request, url, session });
    const allowed = (["GET", "POST"] as const).filter((one) => Object.hasOwn(this.#routes[one], name));
    if (allowed.length === 0) {
      return failure("NOT_FOUND", "there is no such call; GET openapi.json lists all");
    }
    return failure("METHOD_NOT_ALLOWED", `allowed: ${allowed.join(", ")}`, {
      headers: { allow: allowed.join(", ") },
    });
  }

  async #bounded(route: Route, { request, url, session }: Omit<Asking, "signal">): Promise<Response> {
    if (this.#asked >= MOST_AT_ONCE) {
      return failure("TOO_MANY", "too many questions at once; try again in a moment", {
        headers: { "retry-after": "1" },
      });
    }
    const controller = new AbortController();
    const stop = () => controller.abort();
    const timer = setTimeout(stop, QUESTION_MS);
    request.signal.addEventListener("abort", stop, { once: true });
    this.#asked++;
    try {
      return await route({ request, url, session, signal: controller.signal });
    } finally {
      this.#asked--;
      clearTimeout(timer);
      request.signal.removeEventListener("abort", stop);
    }
  }

  #questions(): Record<string, Route> {
    const { live } = this.#options;
    const nothing = (answer: (asking: Asking) => unknown): Route => async (asking) => {
      const checked = checkedQuery("nothing", asking.url);
      return checked instanceof Response ? checked : json(await answer(asking));
    };
    const asked = (name: keyof typeof REQUESTS): Route => async ({ url, signal }) => {
      const checked = checkedQuery(name, url);
      return checked instanceof Response ? checked : json(await this.#view.ask(name, checked.value, signal));
    };
    return {
      session: nothing(({ session }): SessionAnswer => ({
        instance: this.#instance,
        expires: new Date(session.expires).toISOString(),
        version: VERSION,
        live: live !== undefined,
      })),
      sources: nothing(({ signal }) => this.#view.ask("sources", undefined, signal)),
      facets: nothing(({ signal }) => this.#view.ask("facets", undefined, signal)),
      overview: nothing(({ signal }) => this.#overviewNow(signal)),
      "openapi.json": nothing(() => openApi()),
      changes: asked("changes"),
      change: asked("change"),
      diff: asked("diff"),
      file: asked("file"),
      compare: asked("compare"),
      content: async ({ url, signal }) => {
        const checked = checkedQuery("content", url);
        if (checked instanceof Response) return checked;
        const { type, bytes } = await this.#view.ask("content", checked.value, signal) as {
          type: string;
          bytes: Uint8Array<ArrayBuffer>;
        };
        // Nothing in it runs, even if somebody opens it on its own.
        const headers = { "content-type": type, "content-security-policy": "default-src 'none'; sandbox" };
        return answer(bytes, { headers });
      },
      calls: ({ url }) => {
        const checked = checkedQuery("calls", url);
        if (checked instanceof Response) return checked;
        return json(live?.calls.page(checked.value) ?? { calls: [], next: null });
      },
      events: ({ url, session }) => {
        const checked = checkedQuery("nothing", url);
        if (checked instanceof Response) return checked;
        return this.#hub.open(session.ended, { instance: this.#instance, live: live !== undefined });
      },
    };
  }

  #deeds(): Record<string, Route> {
    const deed =
      (name: keyof typeof REQUESTS, run: (value: unknown, signal: AbortSignal) => unknown): Route =>
      async ({ request, signal }) => {
        const checked = await checkedBody(name, request);
        return checked instanceof Response ? checked : json(await run(checked.value, signal));
      };
    return {
      "undo/preview": deed("undoPreview", (value, signal) => this.#view.ask("previewUndo", value, signal)),
      "restore/preview": deed(
        "restorePreview",
        (value, signal) => this.#view.ask("previewRestore", value, signal),
      ),
      undo: deed("undo", (value) => this.#hand.ask("undo", value)), // from here on it is carried out, even if nobody waits
      restore: deed("restore", (value) => this.#hand.ask("restore", value)),
      "session/end": async ({ request }) => {
        const checked = await checkedBody("nothing", request);
        if (checked instanceof Response) return checked;
        const ended = await this.#sessions.end(this.#secretOf(request));
        return json({ ended }, { headers: { "set-cookie": clearCookie(this.#options.port()) } });
      },
    };
  }

  #secretOf(request: Request): string | undefined {
    return cookieIn(request.headers.get("cookie"), this.#options.port());
  }

  async #overviewNow(signal: AbortSignal): Promise<Overview> {
    const { live } = this.#options;
    const recent = await this.#view.ask("recent", undefined, signal) as Overview["recent"];
    if (live === undefined) return { server: null, connections: [], figures: null, recent };
    const started = new Date(live.startedAt).toISOString();
    return { server: { version: VERSION, surface: live.surface, started }, ...this.#live(live), recent };
  }

  #live({ calls, connected }: LiveServer): Pick<Overview, "connections" | "figures"> {
    return { connections: calls.connections(connected()), figures: calls.figures() };
  }

  /** Nothing is watched and nothing counted while nobody listens. */
  async #audience(isThere: boolean): Promise<void> {
    const { live } = this.#options;
    clearInterval(this.#overview);
    if (isThere && live !== undefined) {
      this.#overview = setInterval(() => {
        const now = this.#live(live);
        const text = JSON.stringify(now);
        if (text !== this.#toldOverview) this.#hub.tell("overview", now);
        this.#toldOverview = text;
      }, OVERVIEW_MS);
    }
    if (isThere || this.#view.isThere) await this.#watch(isThere);
  }

  async #watch(isOn: boolean): Promise<void> {
    try {
      await this.#view.ask("watch", { isOn });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.warn("console_worker_lost", { reason });
    }
  }

  /** A new viewer has replaced one that was lost: what happened in between is unknown. */
  async #watchAgain(): Promise<void> {
    if (this.#hub.size === 0) return;
    await this.#watch(true);
    const { sources } = await this.#view.ask("sources", undefined) as Sources;
    this.#hub.tell("sources", { sources, truncated: false });
    this.#hub.tell("reload", { sources: sources.map(({ id }) => id) });
  }

  #told(told: ViewEvent): void {
    if (told.event !== "replaced") return this.#hub.tell(told.event, told.data);
    this.#view.close();
    this.#watchAgain().catch(() => {}); // the next request reports it
  }
}

/** How long to wait before replacing a lost viewer while pages are open. */
const LOST_MS = 1_000;
