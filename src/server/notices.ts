/**
 * Notifications to connected clients: that the tools have changed, or that a file they subscribed to was
 * changed. A file is identified by its places on the host, of which it may have several: a link and the
 * link's target are two. Many changes in a moment make one notification.
 */
import { PaddockError } from "../base/errors.ts";

export type Notice =
  | { readonly method: "notifications/tools/list_changed" | "notifications/resources/list_changed" }
  | { readonly method: "notifications/resources/updated"; readonly params: { readonly uri: string } };

/** Limits on the subscriptions of one client, and of all together. */
export const MOST_OF_ONE = 1_000;
export const MOST_OF_ALL = 20_000;

/** Changes within this many milliseconds are reported together. */
const TOGETHER_MS = 20;

interface Subscription {
  readonly member: Member;
  readonly uri: string;
  readonly places: readonly string[];
}

export class Notices {
  readonly #members = new Set<Member>();
  readonly #byPlace = new Map<string, Set<Subscription>>();
  /** The folders above those places, each with the number of places below it. */
  readonly #above = new Map<string, number>();
  readonly #changed = new Set<string>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `tell` is called until the member leaves. */
  join(tell: (notice: Notice) => void): Member {
    const member = new Member(tell, {
      add: (subscription) => this.#add(subscription),
      drop: (subscription) => this.#drop(subscription),
      leave: (left) => this.#members.delete(left),
    });
    this.#members.add(member);
    return member;
  }

  /** Something at or below this place was removed, created or replaced. */
  changed(place: string): void {
    if (!this.#byPlace.has(place) && !this.#above.has(place)) return;
    this.#changed.add(place);
    this.#timer ??= setTimeout(() => this.#tellChanges(), TOGETHER_MS);
  }

  /** Notifies all members, whatever they have subscribed to. */
  tellAll(notice: Notice): void {
    for (const member of [...this.#members]) member.tell(notice);
  }

  /** Looks up again where every subscribed file is; those that may no longer be read are forgotten. */
  async recheck(locate: (uri: string) => Promise<readonly string[] | undefined>): Promise<void> {
    for (const member of [...this.#members]) {
      for (const uri of member.uris) {
        const places = await locate(uri);
        if (!member.uris.includes(uri)) continue; // it has unsubscribed in the meantime
        member.unsubscribe(uri);
        if (places !== undefined) member.subscribe(uri, places);
      }
    }
  }

  #add(subscription: Subscription): void {
    if (this.#count >= MOST_OF_ALL) {
      throw new PaddockError(
        "NOT_ALLOWED",
        `the server has ${MOST_OF_ALL} subscriptions, which is the most it accepts`,
      );
    }
    this.#count++;
    for (const place of subscription.places) {
      const there = this.#byPlace.get(place) ?? new Set();
      there.add(subscription);
      this.#byPlace.set(place, there);
      for (const folder of foldersAbove(place)) this.#above.set(folder, (this.#above.get(folder) ?? 0) + 1);
    }
  }

  #drop(subscription: Subscription): void {
    this.#count--;
    for (const place of subscription.places) {
      const there = this.#byPlace.get(place);
      there?.delete(subscription);
      if (there?.size === 0) this.#byPlace.delete(place);
      for (const folder of foldersAbove(place)) {
        const left = (this.#above.get(folder) ?? 1) - 1;
        if (left === 0) this.#above.delete(folder);
        else this.#above.set(folder, left);
      }
    }
  }

  #tellChanges(): void {
    this.#timer = undefined;
    const hit = new Set<Subscription>();
    for (const place of this.#changed) {
      for (const subscription of this.#byPlace.get(place) ?? []) hit.add(subscription);
      if (this.#above.has(place)) this.#below(place, hit);
    }
    this.#changed.clear();
    for (const { member, uri } of hit) {
      member.tell({ method: "notifications/resources/updated", params: { uri } });
    }
  }

  #below(folder: string, hit: Set<Subscription>): void {
    for (const [place, there] of this.#byPlace) {
      if (!place.startsWith(folder) || !SLASH.test(place.charAt(folder.length))) continue;
      for (const subscription of there) hit.add(subscription);
    }
  }
}

interface Book {
  add(subscription: Subscription): void;
  drop(subscription: Subscription): void;
  leave(member: Member): void;
}

/** A receiver of notifications: a connection, or a separate stream. */
export class Member {
  readonly tell: (notice: Notice) => void;
  readonly #book: Book;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(tell: (notice: Notice) => void, book: Book) {
    this.tell = tell;
    this.#book = book;
  }

  get uris(): readonly string[] {
    return [...this.#subscriptions.keys()];
  }

  subscribe(uri: string, places: readonly string[]): void {
    if (this.#subscriptions.has(uri)) return;
    if (this.#subscriptions.size >= MOST_OF_ONE) {
      throw new PaddockError(
        "NOT_ALLOWED",
        `at most ${MOST_OF_ONE} subscriptions a client; unsubscribe from some`,
      );
    }
    const subscription = { member: this, uri, places };
    this.#book.add(subscription);
    this.#subscriptions.set(uri, subscription);
  }

  unsubscribe(uri: string): void {
    const subscription = this.#subscriptions.get(uri);
    if (subscription === undefined) return;
    this.#subscriptions.delete(uri);
    this.#book.drop(subscription);
  }

  leave(): void {
    for (const uri of this.uris) this.unsubscribe(uri);
    this.#book.leave(this);
  }
}

const SLASH = /[/\\]/;

function* foldersAbove(place: string): Generator<string> {
  for (let at = place.length - 1; at > 0; at--) {
    if (SLASH.test(place.charAt(at))) yield place.slice(0, at);
  }
}
