import type { Cause } from "../../../src/client/failure/cause.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import type { GoodBody } from "./goodAnswers.ts";
import type { Limit } from "./limits.ts";
import type { Line } from "./line.ts";

/**
 * What is asked when a fault strikes: a streamed answer in a chat; an answer read whole; the connection
 * check, struck in its last request or in its list; a list of models.
 */
export const flows = ["chat", "whole", "check", "check of the list", "list"] as const;
export type Flow = (typeof flows)[number];

/** What is read in a flow: a stream, an answer in one piece, a list. */
type Read = "chat" | "whole" | "list";

function readIn(flow: Flow): Read {
  switch (flow) {
    case "chat":
      return "chat";
    case "whole":
    case "check":
      return "whole";
    case "list":
    case "check of the list":
      return "list";
  }
}

/** How a flow ends: by a cause of failure, or as if nothing had been. */
export type Ending = Cause | "works";

/** What a fault is played with. */
export interface Scene {
  readonly flow: Flow;
  readonly style: ClientStyle;
  /** What the right answer would be. */
  readonly body: GoodBody;
  /** Resolves when the client has the head of the answer. */
  readonly headRead: Promise<void>;
  /** Resolves when the client has the beginning of the answer's body. */
  readonly bodyRead: Promise<void>;
  /** Takes down how much was poured into the connection, which has to stay below the bound. */
  readonly poured: (bytes: number, bound: number) => void;
}

/** The endings by what is read. A missing one is not run. */
export interface Endings extends Readonly<Partial<Record<Read, Ending>>> {
  /** The check asks nothing again, and shows the first failure; by default it ends as what it reads does. */
  readonly check?: Ending;
}

export interface Fault {
  readonly name: string;
  readonly ends: Ending | Endings;
  /**
   * The text that is kept in a chat, and is read of what works, of a list the model's name; by default none where it
   * fails, and all where it works.
   */
  readonly text?: string | RegExp | Readonly<Partial<Record<Read, string | RegExp>>>;
  /** None of the counts of tokens that come is one. */
  readonly uncounted?: boolean;
  /** The most memory that client and server together may take for it, in bytes; by default much. */
  readonly memory?: number;
  /** Done before memory is looked at, which is not to hold what only the server needs. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  /** Struck when a connection is made. */
  readonly connect?: (line: Line, scene: Scene) => void | Promise<void>;
  /** Struck when a request has come. */
  readonly answer?: (line: Line, scene: Scene) => void | Promise<void>;
  /** The certificate that is shown in place of the right one. */
  readonly certificate?: "expired" | "self-signed" | "other-name" | "old-protocol";
  /** Where it happens: on a connection in clear, by TLS, at a proxy in front of TLS, or at nobody's. */
  readonly place?: "plain" | "tls" | "proxy" | "no-name" | "no-server" | "black-hole";
  /** Strikes so many requests only; by default all until it is healed. */
  readonly times?: number;
  /** Asks once before, so that a connection waits in the pool. */
  readonly pooled?: boolean;
  /** Done to the connection that waits; the next request comes when the client has left it. */
  readonly whileWaiting?: (line: Line) => void;
  /** The answer comes to its end, so the connection may serve the next request. */
  readonly keepsLine?: boolean;
  /** The limit of time that it runs into, the same for all that is read or by that: something does not come. */
  readonly limit?: Limit | Readonly<Partial<Record<Read, Limit>>>;
  /** The way that it is met on alone, where the two ways end otherwise. */
  readonly way?: "ours" | "fetch";
  /** Takes seconds; not among the unit tests. */
  readonly slow?: boolean;
  /** Characters of the prompt; by default a few. */
  readonly promptLength?: number;
}

/** How the flow should end with this fault; undefined where that makes no sense. */
export function endingOf({ ends }: Fault, flow: Flow): Ending | undefined {
  if (typeof ends === "string") return ends;
  const ending = ends[readIn(flow)];
  return flow.startsWith("check") ? ending && (ends.check ?? ending) : ending;
}

/** The limit of time that the flow runs into with this fault. */
export function limitOf({ limit }: Fault, flow: Flow): Limit | undefined {
  return typeof limit === "object" ? limit[readIn(flow)] : limit;
}

/** The text that it should have kept or read; undefined where nothing is said of it. */
export function textOf({ text }: Fault, flow: Flow): string | RegExp | undefined {
  return typeof text === "string" || text instanceof RegExp ? text : text?.[readIn(flow)];
}
