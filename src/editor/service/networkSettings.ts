import * as vscode from "vscode";
import type { ProxySettings } from "../../client/transport/proxyChoice.ts";
import { type TransportChoice, transportChoices } from "../../client/http/transport.ts";
import type { NetworkSettings } from "../../client/transport/undiciTransport.ts";
import { settingKeys } from "../../contributions.ts";
import { readPatterns, userSetting } from "../workspace/settings.ts";

/** Reads how requests are sent. Only the user's own settings count. */
export function readTransportSetting(): TransportChoice {
  const value = userSetting(settingKeys.transport);
  return transportChoices.find((choice) => choice === value) ?? "auto";
}

/** Reads the settings for proxies and certificates from VS Code and the environment. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  return {
    ...(http.get<unknown>("proxySupport") === "off" ? {} : readProxySettings(http)),
    strictCertificates: http.get<unknown>("proxyStrictSSL") !== false,
    systemCertificates: http.get<unknown>("systemCertificates") !== false,
    // Other code in this process may set the variable at any time.
    fetchTakesAnyCertificate: () => process.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0",
  };
}

/**
 * VS Code distinguishes `on`, `fallback`, and `override` by an extension's own proxy agent. This extension has no such
 * agent, so the three values mean the same.
 */
function readProxySettings(http: vscode.WorkspaceConfiguration): ProxySettings {
  const proxy = http.get<unknown>("proxy");
  const noProxy = readPatterns(http.get<unknown>("noProxy"));
  const proxyAuthorization = http.get<unknown>("proxyAuthorization");
  return {
    ...(typeof proxy === "string" && proxy !== "" ? { proxy } : {}),
    ...(noProxy.length > 0 ? { noProxy } : {}),
    ...(typeof proxyAuthorization === "string" && proxyAuthorization !== "" ? { proxyAuthorization } : {}),
    environment: process.env,
  };
}
