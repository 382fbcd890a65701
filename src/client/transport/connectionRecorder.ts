import type { Socket } from "node:net";
import { checkServerIdentity, TLSSocket } from "node:tls";
import type { PeerCertificate } from "node:tls";

/** Observes new connections. Optional, at no cost if absent. */
export interface ConnectionObserver {
  /** Called with a socket to the service or the proxy when the connection attempt starts. */
  begun(socket: Socket, host: string): void;
  /** Called when a connection to the service through the tunnel of a proxy is open. */
  tunnelled(socket: Socket, host: string): void;
}

/** Records facts about the newest connection. */
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
    // Run before Node's own listener, which destroys the socket if the certificate is not accepted.
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

/** Returns undefined if there is no certificate. Node returns an empty object then. */
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
  // `checkServerIdentity` only reads these two fields.
  const names: Pick<PeerCertificate, "subject"> & { subjectaltname?: string } = {
    subject,
    ...(subjectaltname === undefined ? {} : { subjectaltname }),
  };
  return Reflect.apply(checkServerIdentity, undefined, [host.replace(/^\[|\]$/g, ""), names]) === undefined;
}

/** Returns the common name and the organization, if present. */
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

/** Facts about the setup of a connection, as plain JSON. Times are in milliseconds. */
export interface ConnectionFacts {
  /** Absent if the host is an IP address, or an existing connection was reused. */
  readonly lookup?: { readonly ms: number; readonly addresses: number; readonly families: readonly number[] };
  /** From the end of the lookup to an open socket (of the proxy, if any). */
  readonly connectMs?: number;
  readonly tls?: {
    readonly ms?: number;
    /** Name as in Node: `TLSv1.3`. */
    readonly protocol?: string;
    /** The certificate of the service, accepted or not. */
    readonly certificate?: CertificateFacts;
  };
}

/** Names are the server's own, not redacted; dates are ISO 8601. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  /** Whether the certificate is for the requested host. */
  readonly matchesHost: boolean;
}
