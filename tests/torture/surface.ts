/** What a surface provides for the torture run. */
import type { Random } from "../support/random.ts";
import type { Victim } from "./victim.ts";

export interface TortureSurface {
  readonly name: string;
  /** How many agents work on it at once, each with its own server process. */
  readonly agents: number;
  /** The arguments of an agent's server; the first agent's server also begins and cleans up. */
  argsOf(agent: number): string[];
  /** What was counted, besides calls. */
  readonly sum?: string;
  /** What has to be done first, by a server that nobody kills. */
  begin?(victim: Victim): Promise<void>;
  /** Lets a server repair what killed ones had begun, before the check. */
  recover?(victim: Victim): Promise<void>;
  /** One call of an agent. */
  act(agent: number, tools: { victim: Victim; random: Random }): Promise<void>;
  /** Interference by somebody else meanwhile. */
  disturb(random: Random): Promise<void>;
  /** Violated promises while servers may be at work. */
  look(): string[];
  /** Violated promises when nobody is at work. */
  check(): string[];
  /** Lets one more server clean up after killed ones; returns whatever is left. */
  sweep(victim: Victim): Promise<string[]>;
}
