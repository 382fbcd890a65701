import { BlockList, isIP } from "node:net";
import type { Failure } from "../failure/failure.ts";
import { chooseProxy, type ProxySettings } from "./proxyChoice.ts";

/** Why a website was not read. */
export type WebsiteProblem =
  /** Not http or https, or with a name and password. */
  | { readonly type: "address" }
  /** The URL holds a stored key. */
  | { readonly type: "key" }
  /** The host is, or resolves to, an address that may not be read. `resolved` is what a lookup found. */
  | { readonly type: "private-address"; readonly resolved?: string }
  /** Redirects are followed within the host only, and not from https to http. `count` includes this one. */
  | { readonly type: "redirect"; readonly target: string; readonly count: number }
  | { readonly type: "redirects"; readonly count: number }
  | { readonly type: "status"; readonly status: number }
  | { readonly type: "timeout"; readonly seconds: number }
  /** `code` is the code of Node or undici. */
  | { readonly type: "connection"; readonly failure: Failure["kind"]; readonly code: string }
  /** Not a text. `mediaType` is the website's own word, or empty if it has none. */
  | { readonly type: "not-text"; readonly mediaType: string };

/** Whether an IP address may be connected to. Asked before each connection. */
export type AddressCheck = (address: string) => boolean;

/** The places that requests may go to. */
export interface WebsiteReach {
  readonly mayConnectTo: AddressCheck;
  /** Whether a proxy, which looks up names itself, may get IP addresses and private names. */
  readonly trustsProxy?: boolean;
}

export class WebsiteError extends Error {
  readonly problem: WebsiteProblem;

  constructor(problem: WebsiteProblem) {
    super(`The website was not read: ${problem.type}.`);
    this.name = "WebsiteError";
    this.problem = problem;
  }
}

/** Reads an http or https URL that the user or a model has written. */
export function readWebsiteUrl(text: string): URL {
  const url = URL.parse(text.trim());
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "";
  if (!isWeb || url.username !== "" || url.password !== "") throw new WebsiteError({ type: "address" });
  url.hash = "";
  return url;
}

/**
 * Checks what needs no lookup. A proxy looks up names itself, so a name that could be private is refused.
 * @throws WebsiteError
 */
export function requireReachable(
  url: URL,
  settings: ProxySettings,
  { mayConnectTo, trustsProxy = false }: WebsiteReach,
): void {
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const isRefused =
    metadataNames.has(host) ||
    (trustsProxy || chooseProxy(url, settings).kind === "direct"
      ? isAddress && !mayConnectTo(host)
      : isAddress || isPrivateName(host));
  if (isRefused) throw new WebsiteError({ type: "private-address" });
}

/** Whether a host belongs to this machine or a private network, as far as its name or IP address tells. */
export function isPrivateHost(url: URL, isPublic: AddressCheck): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? isPrivateName(host) : !isPublic(host);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Ends of names that are not for the internet. */
const privateEndings =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion)$/;

/** Whether a name is used within private networks, as far as a name can tell. */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return !name.includes(".") || privateEndings.test(name);
}

/** Ranges that are not for the internet: IANA's registries of special addresses, and multicast. */
const privateRanges4: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  // Azure gives this address to a service within each machine's network.
  ["168.63.129.16", 32],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Only these addresses are for the internet. Some of their ranges are not. */
const publicRange6 = ["2000::", 3, "ipv6"] as const;
const privateRanges6: readonly (readonly [network: string, prefix: number])[] = [
  // Tunnels and special uses, which can lead to any IPv4 address.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const privateAddresses = new BlockList();
for (const [network, prefix] of privateRanges4) privateAddresses.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of privateRanges6) privateAddresses.addSubnet(network, prefix, "ipv6");
const publicAddresses = new BlockList();
publicAddresses.addSubnet(...publicRange6);

/** Networks without IPv4 reach it by these addresses, which end in the IPv4 address. */
const translatedStart = /^64:ff9b::(?=[\da-f:.]*$)/;

/** Whether an IP address belongs to the internet, and not to this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !privateAddresses.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  // Lower case, the longest run of zeros left out, and no IPv4 notation.
  const normal = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? "";
  if (translatedStart.test(normal)) return isPublicAddress(translatedAddress(normal));
  return publicAddresses.check(normal, "ipv6") && !privateAddresses.check(normal, "ipv6");
}

/**
 * Services of clouds that give a machine its credentials, or tasks and containers theirs. Most have a link-local address,
 * and no website has one.
 */
const metadataRanges: readonly (readonly [network: string, prefix: number, family: "ipv4" | "ipv6"])[] = [
  ["169.254.0.0", 16, "ipv4"],
  ["168.63.129.16", 32, "ipv4"],
  ["100.100.100.200", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  ["fe80::", 10, "ipv6"],
  ["fd00:ec2::", 32, "ipv6"],
  ["fd00:c1::a9fe:a9fe", 128, "ipv6"],
  ["fd00:42::42", 128, "ipv6"],
  ["fd00:100::100:200", 128, "ipv6"],
  ["fd00:a9fe:a9fe::1", 128, "ipv6"],
  ["fd20:ce::254", 128, "ipv6"],
];
const metadataAddresses = new BlockList();
for (const range of metadataRanges) metadataAddresses.addSubnet(...range);
/** Names of these services, which a proxy would look up. */
const metadataNames = new Set([
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "api.metadata.cloud.ibm.com",
]);

/** Whether an IP address is link-local, or belongs to a metadata service of a cloud in another way. */
export function isMetadataAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return metadataAddresses.check(address, "ipv4");
  if (family !== 6) return false;
  // A lookup can name the network interface of a link-local address.
  const [unscoped = ""] = address.split("%");
  const normal = URL.parse(`http://[${unscoped}]`)?.hostname.slice(1, -1) ?? "";
  if (translatedStart.test(normal)) return isMetadataAddress(translatedAddress(normal));
  return metadataAddresses.check(normal, "ipv6");
}

/** Whether the host is one of {@link isMetadataAddress}, by its name or IP address. */
export function isMetadataHost(url: URL): boolean {
  const host = hostOf(url);
  return metadataNames.has(host) || isMetadataAddress(host);
}

function translatedAddress(normal: string): string {
  const groups = normal.replace(translatedStart, "").split(":");
  if (groups.length > 2) return "";
  const [low = 0, high = 0] = groups.toReversed().map((group) => Number.parseInt(group || "0", 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
