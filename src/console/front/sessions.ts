/**
 * Who has been let in. A token works once and starts a session, which a cookie identifies. Only digests are kept
 * here, and they are compared without stopping at the first difference.
 */

import { newSecret } from "./secret.ts";

/** How many tokens can wait to be used, and for how long. */
const MOST_TOKENS = 16;
const TOKEN_MS = 12 * 60 * 60 * 1000;
/** How many sessions there can be, and how long each lasts. */
const MOST_SESSIONS = 32;
export const SESSION_MS = 24 * 60 * 60 * 1000;
const LONGEST_SECRET = 256;

export interface Session {
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Aborted when the session ends, for whatever reason. */
  readonly ended: AbortSignal;
}

interface Kept {
  readonly digest: Uint8Array;
  readonly expires: number;
  readonly ended: AbortController;
}

export class Sessions {
  #tokens: Kept[] = [];
  #sessions: Kept[] = [];

  /** A new token. The oldest unused one makes room for it. */
  async newToken(token: string = newSecret()): Promise<string> {
    const fresh = await kept(token, TOKEN_MS); // before the list is read: others may change it meanwhile
    this.#tokens = [...this.#tokens.slice(1 - MOST_TOKENS), fresh];
    return token;
  }

  /** The secret of a new session, for a token that was not used before. */
  async exchange(token: string): Promise<string | undefined> {
    const found = await find(this.#tokens, token);
    if (found === undefined || !this.#tokens.includes(found)) return undefined; // another request was faster
    this.#tokens = this.#tokens.filter((one) => one !== found);
    const secret = newSecret();
    const session = await kept(secret, SESSION_MS);
    const timer = setTimeout(() => this.#end(session), SESSION_MS); // ends its streams
    session.ended.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    for (const old of this.#sessions.slice(0, Math.max(0, this.#sessions.length + 1 - MOST_SESSIONS))) {
      this.#end(old);
    }
    this.#sessions.push(session);
    return secret;
  }

  async find(secret: string | undefined): Promise<Session | undefined> {
    const found = secret === undefined ? undefined : await find(this.#sessions, secret);
    return found && { expires: found.expires, ended: found.ended.signal };
  }

  async end(secret: string | undefined): Promise<boolean> {
    const found = secret === undefined ? undefined : await find(this.#sessions, secret);
    if (found === undefined) return false;
    this.#end(found);
    return true;
  }

  endAll(): void {
    for (const session of this.#sessions) this.#end(session);
    this.#tokens = [];
  }

  #end(session: Kept): void {
    this.#sessions = this.#sessions.filter((one) => one !== session);
    session.ended.abort();
  }
}

async function kept(secret: string, forMs: number): Promise<Kept> {
  return { digest: await digestOf(secret), expires: Date.now() + forMs, ended: new AbortController() };
}

async function find(all: readonly Kept[], secret: string): Promise<Kept | undefined> {
  if (secret.length > LONGEST_SECRET) return undefined;
  const digest = await digestOf(secret);
  const now = Date.now();
  let found: Kept | undefined;
  for (const one of all) if (isEqual(one.digest, digest) && one.expires > now) found = one;
  return found;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
