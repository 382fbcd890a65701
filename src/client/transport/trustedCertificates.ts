import * as tls from "node:tls";

/**
 * PEM certificates of Node's own list and of the system's store. Both, since a list that is given to
 * a connection replaces Node's own. Undefined where this Node cannot tell them (before 22.15).
 */
export function readTrustedCertificates(): readonly string[] | undefined {
  if (!("getCACertificates" in tls)) return undefined;
  return [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
}
