import { createEditorTransport } from "../../../src/client/transport/editorTransport.ts";
import { createUndiciTransport } from "../../../src/client/transport/undiciTransport.ts";
import type { Transport } from "../../../src/client/http/transport.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { chatPath, messagesPath } from "../../unit/service/fixture.ts";
import { type BlackHole, openBlackHole } from "./blackHole.ts";
import type { Fault, Flow, Scene } from "./fault.ts";
import { type GoodBody, listBody, streamedBody, wholeBody } from "./goodAnswers.ts";
import type { Line } from "./line.ts";
import { sendGood } from "./rawAnswers.ts";
import { RawServer } from "./rawServer.ts";
import type { Trust } from "./trust.ts";

/**
 * The transports: `ours` uses our own connection, `fetch` is for VS Code's connection but here calls Node's `fetch`.
 */
export const ways = ["ours", "fetch"] as const;
export type Way = (typeof ways)[number];

/** Whether the fault can occur on this transport. VS Code chooses the proxy of a `fetch`. */
export function isOnWay(fault: Fault, way: Way): boolean {
  return (way === "ours" || fault.place !== "proxy") && (fault.way ?? way) === way;
}

const listPath = "/v1/models";

/** A service that a fault can hit, and the transport to it. */
export class Site {
  readonly #fault: Fault;
  readonly #trust: Trust;
  readonly #server: RawServer;
  readonly #blackHole: BlackHole | undefined;
  readonly #port: number;
  #scene: Scene | undefined;
  #left = 0;
  /** Connections that the fault has hit. */
  readonly #struck = new Set<Line>();
  /** Scripts of the fault that have started. */
  readonly #strokes: Promise<void>[] = [];
  /** Connections that were in the pool before the fault hit. */
  #waiting: readonly Line[] = [];
  /** Connections that have served a request since `heal`. */
  readonly #usedAgain = new Set<Line>();
  #isHealed = false;
  readonly transport: Transport;

  private constructor(fault: Fault, trust: Trust, way: Way, server: RawServer, blackHole?: BlackHole) {
    this.#fault = fault;
    this.#trust = trust;
    this.#server = server;
    this.#blackHole = blackHole;
    this.#port = server.port;
    server.play = (line) => this.#play(line);
    this.transport = this.#createTransport(way);
  }

  static async open(fault: Fault, trust: Trust, way: Way): Promise<Site> {
    const server = new RawServer();
    await server.listen();
    const blackHole = fault.place === "black-hole" ? await openBlackHole() : undefined;
    const site = new Site(fault, trust, way, server, blackHole);
    if (fault.place === "no-server") await server.close();
    return site;
  }

  #createTransport(way: Way): Transport {
    if (way === "fetch") return createEditorTransport((url, options) => fetch(url, options));
    const proxy = this.#fault.place === "proxy" ? { proxy: `http://127.0.0.1:${this.#port}` } : {};
    return createUndiciTransport({ strictCertificates: true, ...proxy });
  }

  /** The origin of the service while the fault is active. */
  get origin(): string {
    switch (this.#fault.place) {
      case "tls":
        return `https://127.0.0.1:${this.#port}`;
      case "proxy":
        return "https://service.example";
      case "no-name":
        return "https://nowhere.invalid";
      case "black-hole":
        return `http://127.0.0.1:${this.#blackHole?.port ?? 0}`;
      default:
        return `http://127.0.0.1:${this.#port}`;
    }
  }

  /** The origin after `heal`; another one if the original host can never answer. */
  get healedOrigin(): string {
    const isNowhere = this.#fault.place === "no-name" || this.#fault.place === "black-hole";
    return isNowhere ? `http://127.0.0.1:${this.#port}` : this.origin;
  }

  /** Sets a scene in which the fault does not hit. */
  arrange(scene: Scene): void {
    this.#scene = scene;
    this.#left = 0;
  }

  /**
   * Records the connections in the pool.
   * @throws Error if the pool is empty
   */
  noteWaiting(): void {
    this.#waiting = this.#server.openLines;
    if (this.#waiting.length === 0) throw new Error("The pool has no connection.");
  }

  /** Calls `lose` for each pooled connection; resolves when the client has left them. */
  async loseWaiting(lose: (line: Line) => void): Promise<void> {
    for (const line of this.#waiting) lose(line);
    await Promise.all(this.#waiting.map((line) => this.#server.left(line)));
  }

  /** Whether each connection that was hit had been in the pool. */
  get struckWaitingOnly(): boolean {
    return [...this.#struck].every((line) => this.#waiting.includes(line));
  }

  /** Activates the fault. */
  strike(scene: Scene): void {
    this.#scene = scene;
    this.#left = this.#fault.times ?? Number.POSITIVE_INFINITY;
  }

  /** Resolves with the number of scripts that the fault has started, when all of them have ended. */
  async struck(): Promise<number> {
    return (await Promise.all(this.#strokes)).length;
  }

  /** Resolves with the number of connections that were hit, when the client has left all of them. */
  async left(): Promise<number> {
    await Promise.all([...this.#struck].map((line) => this.#server.left(line)));
    return this.#struck.size;
  }

  /** Resolves when the client has left every hit connection that has not served a request since `heal`. */
  async leftOrUsedAgain(): Promise<void> {
    const others = [...this.#struck].filter((line) => !this.#usedAgain.has(line));
    await Promise.all(others.map((line) => this.#server.left(line)));
  }

  async heal(): Promise<void> {
    this.#left = 0;
    this.#isHealed = true;
    if (this.#fault.place === "no-server") await this.#server.listen(this.#port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    await this.#blackHole?.[Symbol.asyncDispose]();
    await this.transport.close();
  }

  async #play(line: Line): Promise<void> {
    const { connect, certificate, place } = this.#fault;
    if (connect !== undefined) {
      const scene = this.#hit(line);
      if (scene !== undefined) return this.#begin(connect(line, scene));
    }
    if (place === "proxy" && !(await this.#openTunnel(line))) return;
    if (place === "tls") {
      const wrong = certificate === undefined ? undefined : this.#hit(line) && this.#trust.wrong[certificate];
      line.secure(wrong ?? this.#trust.loopback);
    }
    await this.#serve(line);
  }

  async #openTunnel(line: Line): Promise<boolean> {
    if ((await line.nextRequest()) === undefined) return false;
    const scene = this.#hit(line);
    if (scene !== undefined) {
      await this.#begin(this.#fault.answer?.(line, scene));
      return false;
    }
    await line.send("HTTP/1.1 200 Connection Established\r\n\r\n");
    line.secure(this.#trust.named);
    return true;
  }

  async #serve(line: Line): Promise<void> {
    const { answer, keepsLine, place } = this.#fault;
    for (let request = await line.nextRequest(); request; request = await line.nextRequest()) {
      const [path = ""] = request.path.split("?");
      const isMeant = this.#scene !== undefined && path === pathOf(this.#scene.flow, this.#scene.style);
      if (this.#isHealed) this.#usedAgain.add(line);
      const scene = answer !== undefined && place !== "proxy" && isMeant ? this.#hit(line) : undefined;
      if (scene === undefined) await sendGood(line, goodBodyOf(path, this.#scene?.flow ?? "list"));
      else {
        await this.#begin(answer?.(line, scene));
        if (keepsLine !== true) return;
      }
    }
    line.end();
  }

  #begin(stroke: void | Promise<void>): Promise<void> {
    const done = Promise.resolve(stroke);
    this.#strokes.push(done);
    return done;
  }

  /** Counts a hit and returns its scene; undefined if the fault does not hit now. */
  #hit(line: Line): Scene | undefined {
    if (this.#scene === undefined || this.#left <= 0) return undefined;
    this.#left -= 1;
    this.#struck.add(line);
    return this.#scene;
  }
}

/** The path of the request that a fault hits. */
function pathOf(flow: Flow, style: ClientStyle): string {
  if (flow === "list" || flow === "check of the list") return listPath;
  return style === "messages" ? messagesPath : chatPath;
}

function goodBodyOf(path: string, flow: Flow): GoodBody {
  if (path === listPath) return listBody;
  const style = path === messagesPath ? "messages" : "chat-completions";
  return flow === "chat" ? streamedBody(style) : wholeBody(style);
}

/** The correct answer to the request that a fault hits. */
export function struckBody(flow: Flow, style: ClientStyle): GoodBody {
  return goodBodyOf(pathOf(flow, style), flow);
}
