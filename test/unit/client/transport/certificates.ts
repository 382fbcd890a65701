import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Certificates created for one run of tests. They are for `service.example` unless stated otherwise. */
export interface Certificates {
  readonly selfSigned: Certificate;
  /** Signed by the authority. */
  readonly signed: Certificate;
  /** Signed by the authority, expired since 2021. */
  readonly expired: Certificate;
  /** Signed by the authority for `other.example`. */
  readonly otherName: Certificate;
  /** Signed by the authority for 127.0.0.1. */
  readonly loopback: Certificate;
  /** Path of the authority's certificate. */
  readonly authorityFile: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const run = promisify(execFile);
const host = "service.example";
const names = `subjectAltName=DNS:${host}`;

/** @throws Error if the command `openssl` is missing */
export async function makeCertificates(): Promise<Certificates> {
  await run("openssl", ["version"]).catch((error: unknown) => {
    throw new Error("These tests create certificates. Install the command `openssl`.", { cause: error });
  });
  const folder = await mkdtemp(path.join(tmpdir(), "inference-certificates-"));
  const openssl = async (...words: readonly string[]): Promise<void> => {
    await run("openssl", words, { cwd: folder });
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await writeFile(path.join(folder, "ca.cnf"), authoritySettings);
  await Promise.all(["index.txt", "index.txt.attr"].map((name) => writeFile(path.join(folder, name), "")));
  const own = ["req", ...newKey, "-x509", "-days", "2"];
  await openssl(...own, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test Authority");
  const self = ["-keyout", "self.key", "-out", "self.pem", "-subj", `/CN=${host}`, "-addext", names];
  await openssl(...own, ...self);
  await openssl("req", ...newKey, "-new", "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", `/CN=${host}`);
  const sign = ["ca", "-batch", "-notext", "-config", "ca.cnf", "-in", "leaf.csr"];
  await openssl(...sign, "-days", "2", "-out", "leaf.pem");
  await openssl(...sign, "-startdate", "20200101000000Z", "-enddate", "20210101000000Z", "-out", "old.pem");
  await openssl(...sign, "-days", "2", "-extensions", "other", "-out", "other.pem");
  await openssl(...sign, "-days", "2", "-extensions", "loopback", "-out", "loopback.pem");
  return readCertificates(path.join(folder, "ca.pem"));
}

/** Reads the certificates in the folder of the authority's file. Another process may have created them. */
export async function readCertificates(authorityFile: string): Promise<Certificates> {
  const folder = path.dirname(authorityFile);
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), "utf8");
  const leafKey = await read("leaf.key");
  return {
    selfSigned: { key: await read("self.key"), cert: await read("self.pem") },
    signed: { key: leafKey, cert: await read("leaf.pem") },
    expired: { key: leafKey, cert: await read("old.pem") },
    otherName: { key: leafKey, cert: await read("other.pem") },
    loopback: { key: leafKey, cert: await read("loopback.pem") },
    authorityFile,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const authoritySettings = `
[ca]
default_ca = authority
[authority]
new_certs_dir = .
database = index.txt
rand_serial = yes
unique_subject = no
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = policy
x509_extensions = leaf
[policy]
commonName = supplied
[leaf]
${names}
[other]
subjectAltName=DNS:other.example
[loopback]
subjectAltName=IP:127.0.0.1
`;
