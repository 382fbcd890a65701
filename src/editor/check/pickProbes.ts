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
import { probes as table } from "../../connection/compatibility/probes.ts";

export interface ChosenProbes {
  readonly styles: readonly ClientStyle[];
  readonly probes: readonly ProbeId[];
}

/** The rows to check first. If absent, all rows that cost little. */
export interface FirstSelected {
  readonly clientStyle?: ClientStyle;
  readonly probe?: ProbeId;
}

/**
 * Asks which client styles and probes to test, and shows the number of billable requests. Undefined if the user
 * cancels.
 * @param onShowSeen shows earlier results, if any; sends nothing
 */
export async function pickProbes(
  address: ServiceAddress,
  onShowSeen: (() => void) | undefined,
  { clientStyle, probe: only }: FirstSelected = {},
): Promise<ChosenProbes | undefined> {
  const button =
    onShowSeen === undefined
      ? {}
      : {
          button: {
            iconPath: new vscode.ThemeIcon("history"),
            tooltip: vscode.l10n.t("Show Results"),
            press: onShowSeen,
          },
        };
  const styles = await pickMany<ClientStyle>({
    title: () => vscode.l10n.t("Verify Compatibility (1/2): Client Styles"),
    placeholder: vscode.l10n.t("Which client styles do you want to verify?"),
    choices: clientStyles.map((style) => ({
      value: style,
      label: style,
      detail: `POST ${endpointOf(address, style).href}`,
      checked: clientStyle === undefined || style === clientStyle,
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
      "Each test sends one billable request per client style. The tool use test sends two.",
    ),
    choices: probeIds.map((probe) => ({
      value: probe,
      label: probeTitle(probe, vscode.l10n.t),
      detail: vscode.l10n.t(
        "{0} · up to {1} generated tokens",
        probeExplanation(probe, vscode.l10n.t),
        table[probe].request.maxTokens * countRequests([{ probe }]),
      ),
      // An image or a PDF file costs more tokens than all other probes together.
      checked: only === undefined ? probe !== "image" && probe !== "pdf" : probe === only,
    })),
  });
  return probes === undefined ? undefined : { styles, probes };
}

/** A row of a multi-select list. */
interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly detail: string;
  readonly checked: boolean;
}

interface PickManyOptions<T> {
  /** Builds the title from the checked rows. Called again after each change. */
  readonly title: (checked: readonly T[]) => string;
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** A button beside the title. It closes the list without a selection. */
  readonly button?: vscode.QuickInputButton & { readonly press: () => void };
}

/** Lets the user check rows of a list. Undefined on Escape, on the button, or if no row is checked. */
async function pickMany<T>(options: PickManyOptions<T>): Promise<readonly T[] | undefined> {
  const { choices, placeholder, button } = options;
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: T }>();
  const checked = (): readonly T[] => picker.selectedItems.map(({ value }) => value);
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.placeholder = placeholder;
  picker.items = choices.map(({ value, label, detail }) => ({ value, label, detail }));
  picker.selectedItems = picker.items.filter((_item, index) => choices[index]?.checked === true);
  picker.title = options.title(checked());
  picker.onDidChangeSelection(() => {
    picker.title = options.title(checked());
  });
  if (button !== undefined) picker.buttons = [button];
  try {
    return await new Promise<readonly T[] | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems.length === 0 ? undefined : checked()));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidTriggerButton(() => {
        resolve(undefined);
        button?.press();
      });
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}
