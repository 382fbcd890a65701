import type { VNode } from "preact";
import type { ShownReport, ShownBlock } from "../../connection/report/reportMessages.ts";
import type { Translate } from "../../l10n.ts";
import { billableHints } from "../controls/buttons.tsx";
import { StateIcon } from "./stateIcon.tsx";
import { ReportTable } from "./reportTable.tsx";
import { Icon } from "../controls/icons.tsx";

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

interface BlockProps {
  readonly block: ShownBlock;
  readonly t: Translate;
  readonly onAction: (id: string) => void;
}

/** One part of a report. Texts are set as texts, never as HTML. */
function Block({ block, t, onAction }: BlockProps): VNode {
  switch (block.kind) {
    case "facts":
      return (
        <dl class="report-facts">
          {block.rows.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      );
    case "table":
      return <ReportTable table={block} t={t} />;
    case "diagnosis":
      return <DiagnosisAlert diagnosis={block.diagnosis} t={t} onAction={onAction} />;
    case "note":
      return <p class="report-note">{block.text}</p>;
  }
}

interface DiagnosisAlertProps {
  readonly diagnosis: Extract<ShownBlock, { readonly kind: "diagnosis" }>["diagnosis"];
  readonly t: Translate;
  readonly onAction: (id: string) => void;
}

/** A failure, what it means and what to do, with its evidence behind a fold. */
function DiagnosisAlert({ diagnosis, t, onAction }: DiagnosisAlertProps): VNode {
  const { cause, title, explanation, evidence, actions, requestId } = diagnosis;
  return (
    <div class="failure" role="alert" data-cause={cause}>
      <p class="failure-title">
        <Icon name="failure" />
        <strong>{title}</strong>
      </p>
      <p>{explanation}</p>
      {evidence.length > 0 && (
        <details>
          <summary>{t("Details")}</summary>
          <ul>
            {evidence.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </details>
      )}
      {requestId !== undefined && <p class="request-id">{t("Request ID: {0}", requestId)}</p>}
      <div class="button-row">
        {actions.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            class={index === 0 ? "primary" : "secondary"}
            onClick={() => onAction(id)}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
