import type { VNode } from "preact";
import type { ReportState } from "../../connection/report/report.ts";
import type { Translate } from "../../l10n.ts";

type State = ReportState | "skipped";

/** Each state has a shape of its own, so that colour is never needed to tell them apart. */
const paths: Readonly<Record<State, string>> = {
  good: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M5 8.3l2.1 2.1L11 6",
  bad: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  running: "M8 1.8A6.2 6.2 0 0 1 14.2 8",
  neutral: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 7.2v4M8 4.8v.4",
  skipped: "M4 8h8",
};

interface StateIconProps {
  readonly state: State;
  /** The text beside it; the state is not read out where this says it already. */
  readonly beside: string;
  readonly t: Translate;
}

export function StateIcon({ state, beside, t }: StateIconProps): VNode {
  const name = stateName(state, t);
  return (
    <span class={`state state-${state}`}>
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d={paths[state]} />
      </svg>
      {beside.toLowerCase() !== name.toLowerCase() && <span class="visually-hidden">{name}</span>}
    </span>
  );
}

function stateName(state: State, t: Translate): string {
  switch (state) {
    case "good":
      return t("Passed");
    case "bad":
      return t("Failed");
    case "running":
      return t("Running");
    case "neutral":
      return t("Note");
    case "skipped":
      return t("Skipped");
  }
}
