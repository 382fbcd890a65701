import type { Translate } from "../../text/translate.ts";
import type { LastingAdaptation } from "../../protocol/encode/adaptation.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";
import {
  countRequests,
  probeIds,
  type ProbeId,
  type ProbeResult,
  type ProbeState,
  type ProbeStep,
  adaptationText,
  probeTitle,
  stateText,
} from "./compatibility.ts";
import type { VerificationEnd } from "./compatibilityVerification.ts";
import type { Report, ReportAction, ReportBlock, ReportCell } from "../report/report.ts";

/** Observations for one client style. */
export interface SeenOfStyle {
  readonly results: readonly ProbeResult[];
  readonly learnt: readonly {
    readonly adaptation: LastingAdaptation;
    readonly status: number;
    readonly requestId?: string;
  }[];
}

export interface CompatibilityFacts {
  readonly connection: string;
  readonly base: string;
  readonly model: string;
  readonly seen: (clientStyle: ClientStyle) => SeenOfStyle;
  /** A running or finished verification. Absent if only stored results are displayed. */
  readonly run?: VerificationState;
}

export interface VerificationState {
  readonly steps: readonly ProbeStep[];
  readonly running?: ProbeStep;
  readonly end?: VerificationEnd;
}

export const compatibilityActions = ["verify-again", "copy-markdown", "copy-json", "forget"] as const;
type CompatibilityActionId = (typeof compatibilityActions)[number];

/** Builds a page with both client styles side by side, with evidence and request IDs. */
export function compatibilityReport(facts: CompatibilityFacts, t: Translate): Report {
  const isRunning = facts.run !== undefined && facts.run.end === undefined;
  return {
    title: t("Compatibility of {0}", facts.connection),
    summary: summarise(facts, t),
    blocks: [
      ...(facts.run?.end?.kind === "failed"
        ? [{ kind: "diagnosis", diagnosis: facts.run.end.diagnosis } as const]
        : []),
      factsBlock(facts, t),
      tableBlock(facts, t),
      ...steeringBlocks(facts, t),
      {
        kind: "note",
        text: t(
          '"Unclear" means that the test didn\'t show whether the feature works, or that the request failed for another reason. Features you didn\'t test stay "unknown". The results apply only to this model and base URL.',
        ),
      },
    ],
    actions: isRunning
      ? []
      : compatibilityActions.map(
          (id) =>
            ({ id, label: actionLabel(id, t), isBillable: id === "verify-again" }) satisfies ReportAction,
        ),
  };
}

function actionLabel(id: CompatibilityActionId, t: Translate): string {
  switch (id) {
    case "verify-again":
      return t("Verify Again");
    case "copy-markdown":
      return t("Copy as Markdown");
    case "copy-json":
      return t("Copy as JSON");
    case "forget":
      return t("Clear Results");
  }
}

/** Returns the stored results as JSON, for scripts and other tools. */
export function compatibilityJson({ connection, base, model, seen }: CompatibilityFacts): string {
  const byStyle = Object.fromEntries(clientStyles.map((style) => [style, seen(style)]));
  return `${JSON.stringify({ connection, base, model, seen: byStyle }, undefined, 2)}\n`;
}

function summarise({ run, seen }: CompatibilityFacts, t: Translate): Report["summary"] {
  const all = clientStyles.flatMap((style) => seen(style).results);
  const count = (state: ProbeState): number => all.filter((result) => result.state === state).length;
  const counts = t("{0} yes, {1} no, {2} unclear", count("yes"), count("no"), count("unclear"));
  if (run === undefined) {
    return { state: "neutral", text: all.length === 0 ? t("No results yet") : counts };
  }
  switch (run.end?.kind) {
    case undefined: {
      const done = run.running === undefined ? 0 : run.steps.indexOf(run.running);
      const before = countRequests(run.steps.slice(0, done));
      return { state: "running", text: t("Request {0} of {1}", before + 1, countRequests(run.steps)) };
    }
    case "failed":
      return { state: "bad", text: t("Stopped: {0}", run.end.diagnosis.title) };
    case "cancelled":
      return { state: "neutral", text: t("Canceled. {0}", counts) };
    case "complete":
      return { state: "good", text: t("Verified. {0}", counts) };
  }
}

function factsBlock({ base, model, seen }: CompatibilityFacts, t: Translate): ReportBlock {
  const last = clientStyles
    .flatMap((style) => seen(style).results.map(({ at }) => at))
    .toSorted()
    .at(-1);
  return {
    kind: "facts",
    rows: [
      { label: t("Base URL"), value: base },
      { label: t("Model"), value: model },
      ...(last === undefined
        ? []
        : [{ label: t("Last checked"), value: `${last.slice(0, 16).replace("T", " ")} UTC` }]),
    ],
  };
}

function tableBlock(facts: CompatibilityFacts, t: Translate): ReportBlock {
  return {
    kind: "table",
    caption: t("Results"),
    columns: [t("Feature"), ...clientStyles],
    rows: probeIds.map((probe) => [
      { text: probeTitle(probe, t) },
      ...clientStyles.map((clientStyle) => toCell(facts, { clientStyle, probe }, t)),
    ]),
  };
}

const cellStates: Readonly<Record<ProbeState, ReportCell["state"]>> = {
  yes: "good",
  no: "bad",
  unclear: "neutral",
  unknown: "skipped",
};

function toCell({ seen, run }: CompatibilityFacts, step: ProbeStep, t: Translate): ReportCell {
  const { running } = run?.end === undefined ? (run ?? {}) : {};
  if (running?.probe === step.probe && running.clientStyle === step.clientStyle) {
    return { text: t("testing"), state: "running" };
  }
  const result = seen(step.clientStyle).results.find(({ probe }: { probe: ProbeId }) => probe === step.probe);
  if (result === undefined) return { text: stateText("unknown", t), state: "skipped" };
  const { state, evidence, status, requestId } = result;
  const details = [
    evidence,
    ...(status === undefined ? [] : [t("status {0}", status)]),
    ...(requestId === undefined ? [] : [requestId]),
  ];
  const cellState = cellStates[state];
  return {
    text: stateText(state, t),
    ...(cellState === undefined ? {} : { state: cellState }),
    detail: details.join(" · "),
  };
}

/** Lists how requests changed because the service refused something, in a probe or in a chat. */
function steeringBlocks({ seen }: CompatibilityFacts, t: Translate): readonly ReportBlock[] {
  const rows = clientStyles.flatMap((style) =>
    seen(style).learnt.map(({ adaptation, status, requestId }): readonly ReportCell[] => [
      { text: `${style}: ${adaptationText(adaptation, t)}` },
      {
        text: t("status {0}", status),
        ...(requestId === undefined ? {} : { detail: requestId }),
      },
    ]),
  );
  if (rows.length === 0) return [];
  return [
    {
      kind: "table",
      caption: t("Adjustments to requests after the service refused a field"),
      columns: [t("Adjustment"), t("Error status")],
      rows,
    },
  ];
}
