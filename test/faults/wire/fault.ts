import type { Cause } from "../../../src/client/failure/cause.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import type { GoodBody } from "./goodAnswers.ts";
import type { Limit } from "./limits.ts";
import type { Line } from "./line.ts";

/**
 * The requests that a fault can hit:
 * - `chat`: a streamed answer
 * - `whole`: an answer in one piece
 * - `check`: the billable request of a connection check, in the connection's client style
 * - `check of the list`: the request of a connection check for the list of models
 * - `list`: a list of models
 */
export const flows = ["chat", "whole", "check", "check of the list", "list"] as const;
export type Flow = (typeof flows)[number];

/** The kind of body that a flow reads: a stream, an answer in one piece, or a list. */
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

/** How a flow ends: with a cause of failure, or normally. */
export type Ending = Cause | "works";

/** The context in which a fault runs. */
export interface Scene {
  readonly flow: Flow;
  readonly style: ClientStyle;
  /** The correct answer. */
  readonly body: GoodBody;
  /** Resolves when the client has read the head of the answer. */
  readonly headRead: Promise<void>;
  /** Resolves when the client has read the first bytes of the body. */
  readonly bodyRead: Promise<void>;
  /** Records how many bytes were written to the connection, and the allowed maximum. */
  readonly poured: (bytes: number, bound: number) => void;
}

/** The ending for each kind of body. A missing kind is not run. */
export interface Endings extends Readonly<Partial<Record<Read, Ending>>> {
  /** The ending of both check flows, if it differs: a check never retries and reports the first failure. */
  readonly check?: Ending;
}

export interface Fault {
  readonly name: string;
  readonly ends: Ending | Endings;
  /**
   * The text that a chat keeps, or that a working flow reads; for a list, the model's name.
   * By default, empty if the flow fails and complete if it works.
   */
  readonly text?: string | RegExp | Readonly<Partial<Record<Read, string | RegExp>>>;
  /** No token count in the answer is valid. */
  readonly uncounted?: boolean;
  /** Maximum memory of client and server together, in bytes; by default the bound of the test. */
  readonly memory?: number;
  /** Runs before memory is measured, so that data of the server does not count. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  /** Runs when a connection opens. */
  readonly connect?: (line: Line, scene: Scene) => void | Promise<void>;
  /** Runs when a request has arrived. */
  readonly answer?: (line: Line, scene: Scene) => void | Promise<void>;
  /** The error in the server's certificate, or in its TLS version. */
  readonly certificate?: "expired" | "self-signed" | "other-name" | "old-protocol";
  /**
   * The place of the fault; by default a connection without TLS. In `no-name`, the host name does not exist. In
   * `no-server`, the port is closed. In `black-hole`, the host accepts no connection.
   */
  readonly place?: "plain" | "tls" | "proxy" | "no-name" | "no-server" | "black-hole";
  /** Maximum number of requests that the fault hits; by default all until `Site.heal`. */
  readonly times?: number;
  /** Sends one request first, so that a connection waits in the pool. */
  readonly pooled?: boolean;
  /** Runs on the pooled connection. The next request follows after the client has left the connection. */
  readonly whileWaiting?: (line: Line) => void;
  /** Whether the HTTP answer is complete, so that the connection may serve the next request. */
  readonly keepsLine?: boolean;
  /** The time limit that the fault runs into: one for all kinds of body, or one for each kind. */
  readonly limit?: Limit | Readonly<Partial<Record<Read, Limit>>>;
  /** The only transport that this fault is run on, if the flow ends differently on the other. */
  readonly way?: "ours" | "fetch";
  /** Takes seconds; the unit tests leave it out. */
  readonly slow?: boolean;
  /** Length of the prompt in characters; a few by default. */
  readonly promptLength?: number;
}

/** The expected ending of a flow with this fault; undefined if the combination is not run. */
export function endingOf({ ends }: Fault, flow: Flow): Ending | undefined {
  if (typeof ends === "string") return ends;
  const ending = ends[readIn(flow)];
  return flow.startsWith("check") ? ending && (ends.check ?? ending) : ending;
}

/** The time limit that a flow with this fault runs into; undefined without a limit. */
export function limitOf({ limit }: Fault, flow: Flow): Limit | undefined {
  return typeof limit === "object" ? limit[readIn(flow)] : limit;
}

/** The text that a flow with this fault should keep or read; undefined if the fault does not say. */
export function textOf({ text }: Fault, flow: Flow): string | RegExp | undefined {
  return typeof text === "string" || text instanceof RegExp ? text : text?.[readIn(flow)];
}
