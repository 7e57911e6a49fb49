/**
 * While somebody listens, checks whether anything has happened: in the stores by a number that every commit of
 * another process changes, in the workspaces by their last commits. So a change is reported within a second, whoever
 * made it.
 */
import type { Events } from "../api_types.ts";
import type { ViewEvent } from "../messages.ts";
import type { ChangeSource } from "./source.ts";
import type { Viewer } from "./viewer.ts";

const EVERY_MS = 250;
/** Workspaces come and go, and checking each costs a few disk accesses. */
const WORKSPACES_EVERY = 2;
const LIST_EVERY = 8;
/** If there are more workspaces than this, they are checked in turns. */
const AT_ONCE = 100;

export interface WatcherOptions {
  readonly tell: (event: ViewEvent) => void;
  /** Whether directories were replaced by ones that this thread cannot see. */
  readonly areReplaced: () => boolean;
}

export class Watcher {
  readonly #viewer: Viewer;
  readonly #tell: (event: ViewEvent) => void;
  readonly #areReplaced: () => boolean;
  #sources: readonly ChangeSource[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;
  #next = 0;
  #isOn = false;
  #names = "";

  constructor(viewer: Viewer, { tell, areReplaced }: WatcherOptions) {
    this.#viewer = viewer;
    this.#tell = tell;
    this.#areReplaced = areReplaced;
  }

  /** Whether somebody listens; settles when the current state is known. */
  async watch(isOn: boolean): Promise<void> {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    clearTimeout(this.#timer);
    if (!isOn) return;
    await this.#list();
    await this.#look(this.#sources);
    this.#plan();
  }

  #plan(): void {
    if (!this.#isOn) return;
    this.#timer = setTimeout(async () => {
      await this.#tick();
      this.#plan();
    }, EVERY_MS);
  }

  async #tick(): Promise<void> {
    this.#turn++;
    if (this.#areReplaced()) {
      this.#isOn = false;
      return this.#tell({ event: "replaced" });
    }
    if (this.#turn % LIST_EVERY === 0) await this.#list();
    await this.#look(this.#sources.filter(({ kind }) => kind === "root"));
    if (this.#turn % WORKSPACES_EVERY !== 0) return;
    const spaces = this.#sources.filter(({ kind }) => kind === "workspace");
    const from = this.#next % Math.max(spaces.length, 1);
    this.#next = from + AT_ONCE;
    const rest = spaces.length <= AT_ONCE ? [] : spaces.slice(0, Math.max(0, from + AT_ONCE - spaces.length));
    await this.#look(spaces.length <= AT_ONCE ? spaces : [...spaces.slice(from, from + AT_ONCE), ...rest]);
  }

  async #list(): Promise<void> {
    const sources = await this.#viewer.all();
    const isFirst = this.#names === "";
    const names = `,${sources.map(({ id }) => id).join()}`;
    this.#sources = sources;
    if (names !== this.#names && !isFirst) await this.#tellSources();
    this.#names = names;
  }

  async #look(sources: readonly ChangeSource[]): Promise<void> {
    const reload: string[] = [];
    let hasChanged = false;
    for (const source of sources) {
      const { changes, reload: isMany, stateChanged } = await source.news();
      for (const change of changes) this.#tell({ event: "change", data: change });
      if (isMany) reload.push(source.id);
      hasChanged ||= stateChanged;
    }
    if (reload.length > 0) this.#tell({ event: "reload", data: { sources: reload } });
    if (hasChanged) await this.#tellSources();
  }

  async #tellSources(): Promise<void> {
    const data: Events["sources"] = await this.#viewer.sources();
    this.#tell({ event: "sources", data });
  }
}
