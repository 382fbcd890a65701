import type { VNode } from "preact";
import type { ShownBlock } from "../../connection/report/reportMessages.ts";
import type { Translate } from "../../l10n.ts";
import { DiagnosisAlert } from "./diagnosisAlert.tsx";
import { ReportTable } from "./reportTable.tsx";

interface BlockProps {
  readonly block: ShownBlock;
  readonly t: Translate;
  readonly onAction: (id: string) => void;
}

/** One part of a report. Texts are set as texts, never as HTML. */
export function Block({ block, t, onAction }: BlockProps): VNode {
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
