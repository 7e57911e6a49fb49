/** Notifies clients after a changed configuration was adopted, and rechecks their subscriptions. */
import type { Config } from "../base/config.ts";
import type { Tools } from "../server/methods.ts";
import type { Notices } from "../server/notices.ts";
import { locate } from "../server/resource_methods.ts";

export interface Announced {
  notices: Notices;
  tools: Tools;
  /** Absent where the surface has none. */
  resources: Tools | undefined;
}

export class Announcements {
  readonly #announced: Announced;
  #surface: string;

  constructor(config: Config, announced: Announced) {
    this.#announced = announced;
    this.#surface = JSON.stringify(config.surface);
  }

  /** Runs `takeOver`, which adopts the configuration, and then notifies clients. */
  async around(config: Config, takeOver: () => Promise<void>): Promise<void> {
    const { notices, tools, resources } = this.#announced;
    const before = JSON.stringify(await tools.list());
    await takeOver();
    if (resources !== undefined) await notices.recheck((uri) => locate(resources, uri));
    if (JSON.stringify(await tools.list()) !== before) {
      notices.tellAll({ method: "notifications/tools/list_changed" });
    }
    const surface = JSON.stringify(config.surface);
    if (resources !== undefined && surface !== this.#surface) {
      notices.tellAll({ method: "notifications/resources/list_changed" });
    }
    this.#surface = surface;
  }
}
