import type { Way } from "../../client/http/transport.ts";
import type { Translate } from "../../l10n.ts";

/** How requests get to the service, for the check: by whose connection and which proxy. */
export function wayText({ transport, proxy, anyCertificate }: Way, t: Translate): string {
  const way = connectionText(transport, proxy, t);
  if (!anyCertificate) return way;
  const by = transport === "editor" ? "NODE_TLS_REJECT_UNAUTHORIZED" : "http.proxyStrictSSL";
  return t("{0}; certificates are not verified ({1})", way, by);
}

function connectionText(transport: Way["transport"], proxy: string | undefined, t: Translate): string {
  if (transport === "editor") return t("By the editor's connection, with the proxy the editor chooses");
  if (proxy === undefined) return t("By the extension's own connection, without a proxy");
  return t("By the extension's own connection, through the proxy {0}", proxy);
}
