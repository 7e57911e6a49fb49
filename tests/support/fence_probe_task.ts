/** The fence probe's task and answer. */

export interface ProbeTask {
  /** A folder the fence allows, and one beside it. */
  inside: string;
  outside: string;
  /** A port of this machine on which somebody else listens. */
  port: number;
  /** The port a server over http would have. */
  ownPort: number;
  /** The name of an environment variable that is set. */
  secret: string;
}

/** By attempt: "ok", or the name of the error. */
export type Attempts = Record<string, string>;
