/** What a server's clients do, for the page: the last calls, figures of the last hour, and who is connected. */
import type { Call, CallPage, Connection, Figures } from "../api_types.ts";

const MOST_CALLS = 2_000;
const MINUTES = 60;
const MINUTE_MS = 60_000;
/** How many clients are listed; the one that has been quiet longest is dropped first. */
const MOST_CONNECTIONS = 200;

export type NewCall = Omit<Call, "id">;

/** A client as known from its calls, and from its transport where that says more. */
export interface Connected {
  readonly session: string;
  readonly client: string | null;
  readonly version: string | null;
  readonly transport: string;
  readonly since: number;
}

interface Numbers {
  calls: number;
  errors: number;
  refusals: number;
}

interface Minute extends Numbers {
  readonly start: number;
}

export class LiveCalls {
  readonly #calls: Call[] = [];
  readonly #total: Numbers = { calls: 0, errors: 0, refusals: 0 };
  readonly #bySession = new Map<string, Numbers & { last: number }>();
  #minutes: Minute[] = [];
  #next = 1;
  /** Called with every call. */
  onCall: ((call: Call) => void) | undefined;

  add(given: NewCall): void {
    const call: Call = { id: this.#next++, ...given };
    this.#calls.push(call);
    if (this.#calls.length > MOST_CALLS) this.#calls.shift();
    const now = Date.now();
    count(this.#total, call);
    count(this.#minute(now), call);
    if (call.session !== null) {
      const own = this.#bySession.get(call.session) ?? { calls: 0, errors: 0, refusals: 0, last: now };
      count(own, call);
      this.#bySession.delete(call.session);
      this.#bySession.set(call.session, { ...own, last: now });
      const [quietest] = this.#bySession.keys();
      if (this.#bySession.size > MOST_CONNECTIONS && quietest !== undefined) this.#bySession.delete(quietest);
    }
    this.onCall?.(call);
  }

  page({ limit, before }: { limit: number; before?: number | undefined }): CallPage {
    const all = before === undefined ? this.#calls : this.#calls.filter(({ id }) => id < before);
    const calls = all.slice(-limit).toReversed();
    return { calls, next: all.length > calls.length ? calls.at(-1)?.id ?? null : null };
  }

  figures(): Figures {
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const known = new Map(this.#minutes.map((minute) => [minute.start, minute]));
    const minutes = Array.from({ length: MINUTES }, (_, i) => {
      const start = now - (MINUTES - 1 - i) * MINUTE_MS;
      const { calls = 0, errors = 0, refusals = 0 } = known.get(start) ?? {};
      return { start: new Date(start).toISOString(), calls, errors, refusals };
    });
    return { ...this.#total, minutes };
  }

  connections(connected: readonly Connected[]): Connection[] {
    return connected.slice(0, MOST_CONNECTIONS).map(({ since, ...who }) => {
      const own = this.#bySession.get(who.session);
      return {
        ...who,
        since: new Date(since).toISOString(),
        last_call: own === undefined ? null : new Date(own.last).toISOString(),
        calls: own?.calls ?? 0,
        errors: own?.errors ?? 0,
        refusals: own?.refusals ?? 0,
      };
    });
  }

  #minute(now: number): Minute {
    const start = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const last = this.#minutes.at(-1);
    if (last?.start === start) return last;
    const minute = { start, calls: 0, errors: 0, refusals: 0 };
    this.#minutes = [...this.#minutes.slice(1 - MINUTES), minute];
    return minute;
  }
}

function count(numbers: Numbers, { outcome }: Call): void {
  numbers.calls++;
  if (outcome === "error") numbers.errors++;
  if (outcome === "refused") numbers.refusals++;
}
