import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  setDefaultCACertificates,
} from "node:tls";
import { readFile } from "node:fs/promises";
import { type Certificate, makeCertificates } from "../../unit/client/transport/certificates.ts";
import type { Fault } from "./fault.ts";

/** Certificates of the test servers. This process trusts their authority until disposal. */
export interface Trust extends AsyncDisposable {
  /** For 127.0.0.1. */
  readonly loopback: SecureContext;
  /** For `service.example`. */
  readonly named: SecureContext;
  readonly wrong: Readonly<Record<NonNullable<Fault["certificate"]>, SecureContext>>;
}

const context = ({ key, cert }: Certificate): SecureContext => createSecureContext({ key, cert });

export async function createTrust(): Promise<Trust> {
  const made = await makeCertificates();
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, await readFile(made.authorityFile, "utf8")]);
  return {
    loopback: context(made.loopback),
    named: context(made.signed),
    wrong: {
      expired: context(made.expired),
      "self-signed": context(made.selfSigned),
      "other-name": context(made.otherName),
      "old-protocol": createSecureContext({
        key: made.loopback.key,
        cert: made.loopback.cert,
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT:@SECLEVEL=0",
      }),
    },
    [Symbol.asyncDispose]: async () => {
      setDefaultCACertificates(before);
      await made[Symbol.asyncDispose]();
    },
  };
}
