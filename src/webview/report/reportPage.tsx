import type { VNode } from "preact";
import type { ShownReport, ShownBlock } from "../../connection/report/reportMessages.ts";
import type { Translate } from "../../text/translate.ts";
import { billableHints } from "../controls/buttons.tsx";
import { FailureText } from "../controls/failureText.tsx";
import type { ReportState } from "../../connection/report/report.ts";

interface ReportPageProps {
  readonly report: ShownReport;
  readonly t: Translate;
  readonly onAction: (id: string) => void;
}

/** The whole page: title, summary, buttons, and the full result. */
export function ReportPage({ report, t, onAction }: ReportPageProps): VNode {
  const { title, summary, actions } = report;
  const [first] = report.blocks;
  // Show a leading failure above the buttons, because its action is the most likely one to help.
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

/** One part of a report. Sets texts as text, never as HTML. */
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

/** A failure with its actions. */
function DiagnosisAlert({ diagnosis, t, onAction }: DiagnosisAlertProps): VNode {
  const { cause, actions, requestId } = diagnosis;
  return (
    <div class="failure" role="alert" data-cause={cause}>
      <FailureText diagnosis={diagnosis} requestId={requestId} t={t} />
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

/** Maximum length of a cell that never wraps, such as a time. */
const maxShortLength = 12;

type Table = Extract<ShownBlock, { readonly kind: "table" }>;
type Cell = Table["rows"][number][number];

/** A table whose first cells are row headers. In a narrow page each cell shows its column's name. */
function ReportTable({ table, t }: { readonly table: Table; readonly t: Translate }): VNode {
  return (
    <table class="report-table">
      <caption>{table.caption}</caption>
      <thead>
        <tr>
          {table.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(([name, ...cells], index) => (
          <tr key={name?.text ?? index} data-row={name?.text}>
            {name !== undefined && (
              <th scope="row">
                <CellContent cell={name} t={t} />
              </th>
            )}
            {cells.map((cell, column) => (
              <td
                key={column}
                class={cell.text === "" ? "empty" : undefined}
                data-column={table.columns[column + 1]}
                data-state={cell.state}
              >
                <CellContent cell={cell} t={t} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellContent({ cell, t }: { readonly cell: Cell; readonly t: Translate }): VNode {
  return (
    <div class={cell.text.length <= maxShortLength && cell.detail === undefined ? "cell short" : "cell"}>
      {cell.state !== undefined && <StateIcon state={cell.state} beside={cell.text} t={t} />}
      <div>
        {cell.text}
        {cell.detail !== undefined && <div class="cell-detail">{cell.detail}</div>}
      </div>
    </div>
  );
}

type State = ReportState | "skipped";

/** Each state has its own shape, so that color is never needed to tell them apart. */
const paths: Readonly<Record<State, string>> = {
  good: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M5 8.3l2.1 2.1L11 6",
  bad: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  running: "M8 1.8A6.2 6.2 0 0 1 14.2 8",
  neutral: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 7.2v4M8 4.8v.4",
  skipped: "M4 8h8",
};

interface StateIconProps {
  readonly state: State;
  /** The text beside the icon. If it equals the state's name, the name is not read out. */
  readonly beside: string;
  readonly t: Translate;
}

/** The icon of a state, with its name for screen readers. */
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
