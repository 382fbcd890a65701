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
