import * as vscode from "vscode";
import { endpointOf, type ServiceAddress } from "../../client/http/address.ts";
import {
  countRequests,
  type ProbeId,
  probeIds,
  probeSteps,
  probeExplanation,
  probeTitle,
} from "../../connection/compatibility/compatibility.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { pickMany } from "../shared/pickMany.ts";
import { probes as table } from "../../connection/compatibility/probes.ts";

export interface ChosenProbes {
  readonly styles: readonly ClientStyle[];
  readonly probes: readonly ProbeId[];
}

/**
 * Asks which client styles and which probes, and names the billable requests they come to.
 * @param onShowSeen offered where something was seen before; sends nothing
 */
export async function chooseProbes(
  address: ServiceAddress,
  onShowSeen: (() => void) | undefined,
): Promise<ChosenProbes | undefined> {
  const button =
    onShowSeen === undefined
      ? {}
      : {
          button: {
            iconPath: new vscode.ThemeIcon("history"),
            tooltip: vscode.l10n.t("Show What Was Seen"),
            press: onShowSeen,
          },
        };
  const styles = await pickMany<ClientStyle>({
    title: () => vscode.l10n.t("Verify Compatibility (1/2): Client Styles"),
    placeholder: vscode.l10n.t("Which ways of making requests are to be verified?"),
    choices: clientStyles.map((style) => ({
      value: style,
      label: style,
      detail: `POST ${endpointOf(address, style).href}`,
      checked: true,
    })),
    ...button,
  });
  if (styles === undefined) return undefined;
  const probes = await pickMany<ProbeId>({
    title: (checked) =>
      vscode.l10n.t(
        "Verify Compatibility (2/2): {0} Billable Requests",
        countRequests(probeSteps(styles, checked)),
      ),
    placeholder: vscode.l10n.t(
      "What is to be tried out? Each is one billable request per client style, tool use is two",
    ),
    choices: probeIds.map((probe) => ({
      value: probe,
      label: probeTitle(probe, vscode.l10n.t),
      detail: vscode.l10n.t(
        "{0} · at most {1} generated tokens",
        probeExplanation(probe, vscode.l10n.t),
        table[probe].request.maxTokens * countRequests([{ probe }]),
      ),
      // A picture costs more tokens than all the rest.
      checked: probe !== "image",
    })),
  });
  return probes === undefined ? undefined : { styles, probes };
}
