import type { VNode } from "preact";
import type { ShownReport } from "../../connection/report/reportMessages.ts";
import type { Translate } from "../../l10n.ts";
import { billableHints } from "../controls/buttons.tsx";
import { Block } from "./block.tsx";
import { StateIcon } from "./stateIcon.tsx";

interface ReportPageProps {
  readonly report: ShownReport;
  readonly t: Translate;
  readonly onAction: (id: string) => void;
}

/** The whole page: title, result at a glance, buttons, and what it came to in full. */
export function ReportPage({ report, t, onAction }: ReportPageProps): VNode {
  const { title, summary, actions } = report;
  const [first] = report.blocks;
  // A failure the report begins with stands above the buttons: its remedy is the likeliest of them.
  const leading = first?.kind === "diagnosis" ? first : undefined;
  const blocks = leading === undefined ? report.blocks : report.blocks.slice(1);
  return (
    <main class="report">
      <h1 tabIndex={-1}>{title}</h1>
      <div class="report-summary" role="status" data-state={summary.state}>
        <StateIcon state={summary.state} beside={summary.text} t={t} />
        <span>{summary.text}</span>
      </div>
      {leading !== undefined && <Block block={leading} t={t} onAction={onAction} />}
      <div class="button-row report-actions">
        {actions.map(({ id, label, isBillable }, index) => (
          <button
            key={id}
            type="button"
            class={index === 0 && leading === undefined ? "primary" : "secondary"}
            {...(isBillable === true ? billableHints(label, t) : {})}
            onClick={() => onAction(id)}
          >
            {label}
          </button>
        ))}
      </div>
      {blocks.map((block, index) => (
        <Block key={`${block.kind}-${index}`} block={block} t={t} onAction={onAction} />
      ))}
    </main>
  );
}
