/**
 * Serves a connection over standard input and output: the plain lane as far as it goes, and the SDK for the
 * rest and for clients that begin differently.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Logger } from "../base/log.ts";
import { CallsInFlight } from "../server/calls_in_flight.ts";
import { type Greeting, isInitialized } from "../server/greeting.ts";
import { ABORTED_MS, FLUSH_MS } from "../server/lifecycle.ts";
import { type BareMethods, Methods, type Tools } from "../server/methods.ts";
import type { Notices } from "../server/notices.ts";
import { PlainLane } from "../server/plain_lane.ts";
import { Scheduler } from "../server/scheduler.ts";
import { clientIn } from "./messages.ts";
import { SdkLane } from "./sdk_lane.ts";
import { type Opening, type StdioOptions, StdioTransport } from "./stdio.ts";

export interface StdioSessionOptions extends StdioOptions {
  tools: Tools;
  /** Methods in addition to MCP's own. */
  bare?: BareMethods | undefined;
  /** The methods about resources, where the surface has them. */
  resources?: Tools | undefined;
  notices?: Notices | undefined;
  instructions: string;
  /** Whether the tools want to know which folders a client works in. */
  wantsRoots?: boolean | undefined;
  log: Logger;
  /** The result of `sdkFor`. */
  serveBySdk?: ServeBySdk | undefined;
}

type ServeBySdk = typeof import("./sdk_stdio.ts").serveBySdk;

/** Serves clients that do not begin plainly, or must be asked for something; undefined for others. */
export async function sdkFor(
  { greeting, first }: Opening,
  wantsRoots: boolean | undefined,
): Promise<ServeBySdk | undefined> {
  const isPlain = greeting !== undefined && isInitialized(greeting);
  if (isPlain && !(wantsRoots && await offersRoots(first))) return undefined;
  return (await import("./sdk_stdio.ts")).serveBySdk;
}

/** Whether a client's first line says that it can be asked for its folders. */
async function offersRoots(first: Opening["first"]): Promise<boolean> {
  const { done, value: line } = await first;
  if (done || line.kind !== "line") return false;
  const { params } = JSON.parse(line.text) as { params?: { capabilities?: { roots?: unknown } } };
  return params?.capabilities?.roots !== undefined;
}

/** What answers the messages of a connection. */
interface Lanes {
  /** Cancels what is in progress. */
  close(): Promise<void>;
}

export class StdioSession {
  readonly transport: StdioTransport;
  readonly #calls: CallsInFlight;
  readonly #lanes: Lanes;

  /** Receives messages from here on. */
  constructor({ tools, bare, resources, log, serveBySdk, wantsRoots, ...rest }: StdioSessionOptions) {
    const { notices, instructions, opening, ...options } = rest;
    const greeting = serveBySdk === undefined ? opening?.greeting : undefined;
    const isRepeated = greeting === undefined;
    const transport = new StdioTransport({
      ...options,
      ...(opening && { opening: { ...opening, isRepeated } }),
    });
    const calls = new CallsInFlight({ log, hasRoom: () => transport.hasRoom() });
    const served = {
      tools: calls.of(tools),
      scheduler: new Scheduler(),
      resources: resources && calls.of(resources),
      bare: bare && { ...bare, tools: calls.of(bare.tools) },
      notices,
      instructions,
      clientRoots: wantsRoots ? { log } : undefined,
      log,
    };
    transport.broken.then((error) =>
      log.error("connection_error", { error: `Failed to write response: ${error.name}` })
    );
    this.transport = transport;
    this.#calls = calls;
    if (greeting !== undefined) this.#lanes = twoLanes(transport, { ...served, greeting });
    else if (serveBySdk !== undefined) this.#lanes = serveBySdk(transport, served);
    else throw new TypeError("a client that has not been greeted is the SDK's to serve");
  }

  /** Lets received requests finish within the time given, and ends the rest; every request gets an answer. */
  async stop(graceMs: number): Promise<void> {
    const { transport } = this;
    transport.closeDoor();
    await transport.drain(graceMs);
    if (transport.isBroken) await this.#lanes.close(); // nobody waits for answers
    await this.#calls.stop(ABORTED_MS);
    await transport.drain(FLUSH_MS);
    await this.#lanes.close();
    await transport.close();
    await transport.drain(FLUSH_MS);
  }
}

interface Served
  extends Pick<StdioSessionOptions, "tools" | "bare" | "resources" | "notices" | "instructions" | "log"> {
  scheduler: Scheduler;
}

function twoLanes(
  transport: StdioTransport,
  { tools, greeting, ...served }: Served & { greeting: Greeting },
): Lanes {
  const send = (message: JSONRPCMessage) => transport.send(message);
  // The plain lane sends all notifications.
  const sdk = new SdkLane({ ...served, tools, notices: undefined, greeting, send });
  const methods = new Methods(tools, served);
  let plain: PlainLane | undefined;
  transport.onmessage = (message) => {
    plain ??= new PlainLane({ methods, notices: served.notices, client: clientIn(message), send });
    if (!("method" in message) || !plain.take(message)) sdk.take(message);
  };
  transport.setProtocolVersion(String(greeting.result.protocolVersion));
  transport.start();
  return {
    close: async () => {
      plain?.close();
      await sdk.end();
    },
  };
}
