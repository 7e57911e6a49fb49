/** What a surface brings to be tortured. */
import type { Random } from "../support/random.ts";
import type { Victim } from "./victim.ts";

export interface TortureSurface {
  readonly name: string;
  /** How many agents work on it at once, each with a server process of its own. */
  readonly agents: number;
  /** The arguments that an agent's server is started with; the first agent's also begins and cleans up. */
  argsOf(agent: number): string[];
  /** What was counted, beside calls. */
  readonly sum?: string;
  /** What has to be done first of all, by a server that nobody kills. */
  begin?(victim: Victim): Promise<void>;
  /** Lets a server put in order what those that were killed had begun, before it is checked. */
  recover?(victim: Victim): Promise<void>;
  /** One call of an agent. */
  act(agent: number, tools: { victim: Victim; random: Random }): Promise<void>;
  /** Something unfriendly done by somebody else meanwhile. */
  disturb(random: Random): Promise<void>;
  /** Whatever does not hold while servers may be at work. */
  look(): string[];
  /** Whatever does not hold when nobody is at work. */
  check(): string[];
  /** Lets one more server clean up after those that were killed; whatever is left. */
  sweep(victim: Victim): Promise<string[]>;
}
