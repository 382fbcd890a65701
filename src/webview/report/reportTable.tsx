import type { VNode } from "preact";
import type { ShownBlock } from "../../connection/report/reportMessages.ts";
import type { Translate } from "../../l10n.ts";
import { StateIcon } from "./stateIcon.tsx";

/** Characters of a cell that is never broken, such as a time. */
const maxShortLength = 12;

type Table = Extract<ShownBlock, { readonly kind: "table" }>;
type Cell = Table["rows"][number][number];

/** A table whose first cells name their rows. In a narrow page each cell names its column instead. */
export function ReportTable({ table, t }: { readonly table: Table; readonly t: Translate }): VNode {
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
