import type { Translate } from "../../text/translate.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { causeTable } from "../diagnosis/causeTable.ts";
import {
  type CheckStep,
  type CheckStepId,
  checkedStyles,
  checkStepIds,
  nameOfStep,
  styleOfStep,
} from "./checkSteps.ts";
import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import { expiryWarning } from "./networkFacts.ts";
import type { Report, ReportAction, ReportBlock, ReportCell, ReportFact } from "../report/report.ts";

/** The current state of a check. */
export interface CheckProgress {
  readonly connection: string;
  readonly clientStyle: ClientStyle;
  readonly model: string;
  /** Start of the check. */
  readonly at: Date;
  readonly billable: boolean;
  readonly steps: readonly CheckStep[];
  readonly state:
    | { readonly kind: "running"; readonly step?: CheckStepId }
    | {
        readonly kind: "done";
        readonly ok: boolean;
        readonly canChat: boolean;
        readonly diagnosis?: Diagnosis;
      }
    | { readonly kind: "stopped" };
}

export type CheckActionId = "stop" | "run-again" | "run-billable" | "copy-support-report" | "copy-json";

/** Builds the page of a running or finished check. */
export function buildCheckReport(check: CheckProgress, t: Translate): Report {
  return {
    title: t("Connection Check: {0}", check.connection),
    summary: summaryOf(check, t),
    blocks: [...diagnosisBlock(check), tableOf(check, t), ...notes(check, t), facts(check, t)],
    actions: actionsOf(check, t),
  };
}

function summaryOf({ state, steps }: CheckProgress, t: Translate): Report["summary"] {
  switch (state.kind) {
    case "running":
      return {
        state: "running",
        text: state.step === undefined ? t("Checking...") : t("Checking: {0}", nameOfStep(state.step, t)),
      };
    case "stopped":
      return { state: "neutral", text: t("Stopped. The key was not verified.") };
    case "done": {
      if (state.ok) return { state: "good", text: t("The check passed. Tool use was not tested.") };
      if (state.canChat) return { state: "good", text: chatsText(steps, t) };
      const failed = steps.findLast(({ cause }) => cause !== undefined);
      if (failed?.cause !== undefined && state.diagnosis !== undefined) {
        const [step, cause] = [nameOfStep(failed.id, t), causeTable[failed.cause].name(t)];
        return { state: "bad", text: t("The check failed at the step '{0}': {1}", step, cause) };
      }
      return {
        state: "neutral",
        text: lacksList(steps)
          ? t("Key not verified: the service provides no model list, and the billable steps were not run.")
          : t("Key not verified: the billable steps were not run, and listing models doesn't verify a key."),
      };
    }
  }
}

/** The summary if chatting works although another request of the check failed. */
export function chatsText(steps: readonly CheckStep[], t: Translate): string {
  return lacksList(steps)
    ? t("You can chat. The service provides no model list.")
    : t("You can chat. The service has no Chat Completions API, but this connection doesn't need it.");
}

function lacksList(steps: readonly CheckStep[]): boolean {
  return steps.some(({ id, cause }) => id === "models" && cause !== undefined);
}

/** The page has its own buttons to run the check again, so remove those actions. */
function diagnosisBlock({ state }: CheckProgress): readonly ReportBlock[] {
  if (state.kind !== "done" || state.diagnosis === undefined) return [];
  const actions = state.diagnosis.actions.filter(({ id }) => id !== "retry" && id !== "check-connection");
  return [{ kind: "diagnosis", diagnosis: { ...state.diagnosis, actions } }];
}

function tableOf(check: CheckProgress, t: Translate): ReportBlock {
  return {
    kind: "table",
    caption: t("Steps"),
    columns: [t("Step"), t("Result"), t("Time"), t("Status"), t("Request ID")],
    rows: checkStepIds.map((id) => [
      { text: stepLabel(id, t) },
      ...cellsOf(
        id,
        check.steps.find((step) => step.id === id),
        check,
        t,
      ),
    ]),
  };
}

function stepLabel(id: CheckStepId, t: Translate): string {
  const name = nameOfStep(id, t);
  return styleOfStep(id) === undefined ? name : t("{0} (billable)", name);
}

function cellsOf(
  id: CheckStepId,
  step: CheckStep | undefined,
  check: CheckProgress,
  t: Translate,
): readonly ReportCell[] {
  const none: readonly ReportCell[] = [{ text: "" }, { text: "" }, { text: "" }];
  if (step === undefined) {
    const { state } = check;
    if (state.kind === "running" && state.step === id)
      return [{ text: t("Running"), state: "running" }, ...none];
    return [{ text: state.kind === "running" ? t("Waiting") : t("Stopped"), state: "skipped" }, ...none];
  }
  if (step.skipped === true)
    return [{ text: t("Skipped"), state: "skipped", detail: whySkipped(id, check, t) }, ...none];
  return [
    resultOf(step, t),
    { text: t("{0} ms", Math.round(step.ms)) },
    { text: step.status === undefined ? "" : String(step.status) },
    { text: step.requestId ?? "" },
  ];
}

/** Shows the cause's name, and its ID for scripts and support. */
function resultOf({ ok, cause, detail, network }: CheckStep, t: Translate): ReportCell {
  const warned = network !== undefined && expiryWarning(network, t) !== undefined;
  const reason = cause === undefined ? undefined : `${causeTable[cause].name(t)} (${cause})`;
  const lines = [reason, detail].filter((line) => line !== undefined);
  return {
    text: ok ? (warned ? t("Passed with warnings") : t("Passed")) : t("Failed"),
    state: ok ? "good" : "bad",
    ...(lines.length === 0 ? {} : { detail: lines.join("\n") }),
  };
}

function whySkipped(id: CheckStepId, { steps, clientStyle, billable }: CheckProgress, t: Translate): string {
  const style = styleOfStep(id);
  if (style !== undefined && !checkedStyles(clientStyle).includes(style))
    return t("Only for the {0} client style", style);
  const hasEnded = steps.some(({ id: step, cause }) => cause !== undefined && step !== "models");
  return billable || hasEnded ? t("An earlier step failed") : t("Skipped because it is billable");
}

function notes({ steps, state }: CheckProgress, t: Translate): readonly ReportBlock[] {
  const network = steps.find(({ id }) => id === "network")?.network;
  const warning = network === undefined || state.kind === "running" ? undefined : expiryWarning(network, t);
  return warning === undefined ? [] : [{ kind: "note", text: warning }];
}

function facts({ connection, model, clientStyle, at }: CheckProgress, t: Translate): ReportBlock {
  const rows: readonly ReportFact[] = [
    { label: t("Connection"), value: connection },
    { label: t("Model"), value: model },
    { label: t("Client style"), value: clientStyle },
    { label: t("Time"), value: at.toISOString() },
  ];
  return { kind: "facts", rows };
}

function actionsOf({ state, billable }: CheckProgress, t: Translate): readonly ReportAction[] {
  const actions: readonly (readonly [CheckActionId, string, boolean?])[] =
    state.kind === "running"
      ? [["stop", t("Cancel")]]
      : [
          ...(billable ? [] : [["run-billable", t("Run Billable Steps"), true] as const]),
          ["run-again", t("Run Again"), billable],
          ["copy-support-report", t("Copy Support Report")],
          ...(state.kind === "done" ? [["copy-json", t("Copy as JSON")] as const] : []),
        ];
  return actions.map(([id, label, isBillable = false]) => ({ id, label, isBillable }));
}
