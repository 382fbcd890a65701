import type { Socket } from "node:net";
import { checkServerIdentity, TLSSocket } from "node:tls";
import type { PeerCertificate } from "node:tls";

/** Hears of connections as they are made, at no cost to who does not listen. */
export interface ConnectionObserver {
  /** A socket to the service, or to the proxy, that has begun and not yet said anything. */
  begun(socket: Socket, host: string): void;
  /** A connection to the service through a proxy's tunnel stands. */
  tunnelled(socket: Socket, host: string): void;
}

/** Takes down the facts of the newest connection. */
export class ConnectionRecorder implements ConnectionObserver {
  #facts: ConnectionFacts = {};

  get facts(): ConnectionFacts {
    return this.#facts;
  }

  begun(socket: Socket, host: string): void {
    const started = performance.now();
    let named = started;
    let connected = started;
    this.#facts = {};
    socket.on("lookup", (error: Error | null, _address: string, family: number | string) => {
      if (error !== null) return;
      named = performance.now();
      const before = this.#facts.lookup;
      const families = [...(before?.families ?? []), Number(family)];
      const lookup = {
        ms: named - started,
        addresses: families.length,
        families,
      };
      this.#facts = { ...this.#facts, lookup };
    });
    socket.once("connect", () => {
      connected = performance.now();
      this.#facts = { ...this.#facts, connectMs: connected - named };
    });
    if (!(socket instanceof TLSSocket)) return;
    // Before Node's own listener, which drops the socket where it does not like the certificate.
    socket.prependListener("secure", () => this.#secured(socket, host, performance.now() - connected));
  }

  tunnelled(socket: Socket, host: string): void {
    if (socket instanceof TLSSocket) this.#secured(socket, host);
  }

  #secured(socket: TLSSocket, host: string, ms?: number): void {
    const protocol = socket.getProtocol();
    const certificate = readCertificate(socket.getPeerCertificate(), host);
    this.#facts = {
      ...this.#facts,
      tls: {
        ...(ms === undefined ? {} : { ms }),
        ...(protocol === null ? {} : { protocol }),
        ...(certificate === undefined ? {} : { certificate }),
      },
    };
  }
}

/** Node gives an object without fields where there is no certificate. */
function readCertificate(certificate: Partial<PeerCertificate>, host: string): CertificateFacts | undefined {
  const { subject, issuer, valid_from: from, valid_to: to } = certificate;
  const [validFrom, validTo] = [dateOf(from), dateOf(to)];
  if (subject === undefined || issuer === undefined || validFrom === undefined || validTo === undefined)
    return undefined;
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validFrom,
    validTo,
    matchesHost: matches(host, certificate),
  };
}

function matches(host: string, { subject, subjectaltname }: Partial<PeerCertificate>): boolean {
  if (subject === undefined) return false;
  // Only these two fields are looked at.
  const names: Pick<PeerCertificate, "subject"> & { subjectaltname?: string } = {
    subject,
    ...(subjectaltname === undefined ? {} : { subjectaltname }),
  };
  return Reflect.apply(checkServerIdentity, undefined, [host.replace(/^\[|\]$/g, ""), names]) === undefined;
}

/** Common name and organisation, as far as there are any. */
function nameOf(fields: object): string {
  const values: readonly unknown[] = [Reflect.get(fields, "CN"), Reflect.get(fields, "O")];
  return values
    .flat()
    .filter((value) => typeof value === "string" && value !== "")
    .join(", ");
}

function dateOf(text: string | undefined): string | undefined {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** What was seen while a connection came about. Times are in milliseconds; plain JSON. */
export interface ConnectionFacts {
  /** Absent where the host is an address already, or an older connection was used. */
  readonly lookup?: { readonly ms: number; readonly addresses: number; readonly families: readonly number[] };
  /** From the name's lookup to an open socket; to that of the proxy where there is one. */
  readonly connectMs?: number;
  readonly tls?: {
    readonly ms?: number;
    /** As Node names it: `TLSv1.3`. */
    readonly protocol?: string;
    /** The service's, whether it was accepted or not. */
    readonly certificate?: CertificateFacts;
  };
}

/** Names are the server's own and unredacted; dates are ISO 8601. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  /** Whether it is for the host that was called. */
  readonly matchesHost: boolean;
}
