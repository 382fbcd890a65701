import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { RequestRecord } from "../../chat/requests/requestRecord.ts";
import {
  askerText,
  costOfRequest,
  filterRequests,
  type FromRequestsPage,
  type RequestFilter,
  type RequestSum,
  type ShownRequests,
  statusText,
  sumRequests,
} from "../../chat/requests/requestTable.ts";
import { formatMoney } from "../../chat/transcript/usage.ts";
import type { Translate } from "../../text/translate.ts";
import { numberText, pageLanguage } from "../controls/numberText.ts";
import { StateIcon } from "./reportPage.tsx";

/** Number of shown days with today; 0 for today. */
const periods = [0, 7, 30] as const;
type Period = (typeof periods)[number];

/** The user's selection. VS Code stores it while the tab is hidden. */
export interface Selection extends Omit<RequestFilter, "since"> {
  readonly period: Period;
}

const everything: Selection = { text: "", connection: "", model: "", period: 30 };
/** The selection of a new page. */
export const today: Selection = { ...everything, period: 0 };

/** Maximum number of rows at first, and with each press of the button for more. */
const rowsAtOnce = 200;

interface RequestsPageProps {
  readonly requests: ShownRequests;
  readonly t: Translate;
  readonly post: (message: FromRequestsPage) => void;
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
}

/** The page of requests: the filter, and the sums and rows of the requests that match it. */
export function RequestsPage({ requests, t, post, selected: first, onSelect }: RequestsPageProps): VNode {
  const [selected, setSelected] = useState(first);
  const [shownRows, setShownRows] = useState(rowsAtOnce);
  const filter = filterOf(selected);
  const rows = useMemo(() => filterRequests(requests, filter, t), [requests, t, ...Object.values(filter)]);
  const select = (changed: Partial<Selection>): void => {
    const next = { ...selected, ...changed };
    setSelected(next);
    onSelect(next);
    setShownRows(rowsAtOnce);
  };
  const { state, note, records } = requests;
  return (
    <main class="report requests" aria-busy={state === "loading"}>
      <h1 tabIndex={-1}>{t("Requests")}</h1>
      <Summary requests={requests} rows={rows} t={t} />
      {state !== "failed" && note !== undefined && <p class="report-note">{note}</p>}
      {records.length > 0 && <RequestFilters records={records} selected={selected} select={select} t={t} />}
      <div class="button-row report-actions">
        {rows.length > 0 && (
          <button type="button" class="primary" onClick={() => post({ type: "copy-csv", filter })}>
            {t("Copy as CSV")}
          </button>
        )}
        <button type="button" class="secondary" onClick={() => post({ type: "action", id: "refresh" })}>
          {t("Refresh")}
        </button>
        {rows.length === 0 && records.length > 0 && (
          <button
            type="button"
            class="secondary"
            onClick={({ currentTarget }) => {
              select(everything);
              // This button goes away, so move the focus.
              currentTarget.closest("main")?.querySelector("input")?.focus();
            }}
          >
            {t("Show All Requests")}
          </button>
        )}
        {(records.length > 0 || state === "failed") && (
          <button type="button" class="secondary" onClick={() => post({ type: "action", id: "clear" })}>
            {t("Clear Requests...")}
          </button>
        )}
      </div>
      {rows.length > 0 && (
        <>
          <div class="requests-sums">
            <SumTable
              caption={t("By connection")}
              column={t("Connection")}
              by="connection"
              rows={rows}
              t={t}
            />
            <SumTable caption={t("By model")} column={t("Model")} by="model" rows={rows} t={t} />
          </div>
          <RequestTable rows={rows.slice(0, shownRows)} requests={requests} t={t} />
        </>
      )}
      {rows.length > shownRows && (
        <div class="button-row">
          <button
            type="button"
            class="secondary"
            onClick={({ currentTarget }) => {
              setShownRows(shownRows + rowsAtOnce);
              // After the last rows this button goes away, so move the focus into the table.
              if (rows.length <= shownRows + rowsAtOnce)
                currentTarget.closest("main")?.querySelector<HTMLElement>(".requests-rows")?.focus();
            }}
          >
            {t("Show {0} More", numberText(Math.min(rowsAtOnce, rows.length - shownRows)))}
          </button>
        </div>
      )}
    </main>
  );
}

/** The number of requests and their cost, or why there are none. */
function Summary({
  requests: { state, note = "", records },
  rows,
  t,
}: Pick<RequestsPageProps, "requests" | "t"> & { readonly rows: readonly RequestRecord[] }): VNode {
  const icon = state === "failed" ? "bad" : state === "loading" ? "running" : undefined;
  const text = (): string => {
    if (state === "failed") return note;
    if (records.length === 0)
      return state === "loading"
        ? t("Reading the requests...")
        : t("No requests are recorded yet. They appear here after you ask a question or check a connection.");
    if (rows.length === 0) return t("No recorded request matches the filter.");
    const count = rows.length === 1 ? t("1 request") : t("{0} requests", numberText(rows.length));
    const costs = sumRequests(rows, "connection").flatMap((sum) => sum.costs);
    return [count, ...addCosts(costs).map((cost) => formatMoney(cost, pageLanguage()))].join(" · ");
  };
  const shown = text();
  return (
    <div class="report-summary" role="status" data-state={state}>
      {icon !== undefined && <StateIcon state={icon} beside={shown} t={t} />}
      <span>{shown}</span>
    </div>
  );
}

type Costs = RequestSum["costs"];

function addCosts(costs: Costs): Costs {
  const sums = new Map<string, number>();
  for (const { amount, currency } of costs) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ amount, currency }));
}

interface RequestFiltersProps {
  readonly records: readonly RequestRecord[];
  readonly selected: Selection;
  readonly select: (changed: Partial<Selection>) => void;
  readonly t: Translate;
}

function RequestFilters({ records, selected, select, t }: RequestFiltersProps): VNode {
  const namesOf = (by: "connection" | "model"): readonly string[] =>
    // A selected name stays selectable, also if no request has it any more.
    [...new Set([selected[by], ...records.map((record) => record[by] ?? "")])]
      .filter((name) => name !== "")
      .toSorted((one, other) => one.localeCompare(other));
  return (
    <div class="requests-filters" role="search" aria-label={t("Filter requests")}>
      <div>
        <label for="text">{t("Search")}</label>
        <input
          id="text"
          type="search"
          value={selected.text}
          maxLength={1000}
          placeholder={t("Chat, status, or request ID")}
          onInput={({ currentTarget }) => select({ text: currentTarget.value })}
        />
      </div>
      <div>
        <label for="period">{t("Period")}</label>
        <select
          id="period"
          value={String(selected.period)}
          onChange={({ currentTarget }) =>
            select({ period: periods.find((days) => String(days) === currentTarget.value) ?? 0 })
          }
        >
          {periods.map((days) => (
            <option key={days} value={String(days)}>
              {periodText(days, t)}
            </option>
          ))}
        </select>
      </div>
      {(["connection", "model"] as const).map((by) => (
        <div key={by}>
          <label for={by}>{by === "connection" ? t("Connection") : t("Model")}</label>
          <select
            id={by}
            value={selected[by]}
            onChange={({ currentTarget }) => select({ [by]: currentTarget.value })}
          >
            <option value="">{by === "connection" ? t("All connections") : t("All models")}</option>
            {namesOf(by).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  );
}

function periodText(days: Period, t: Translate): string {
  switch (days) {
    case 0:
      return t("Today");
    case 7:
      return t("Last 7 days");
    case 30:
      return t("Last 30 days");
  }
}

/** The start of the period in the user's time zone. */
function filterOf({ period, ...filter }: Selection): RequestFilter {
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - Math.max(0, period - 1));
  return { ...filter, since: period === 30 ? "" : start.toISOString() };
}

interface SumTableProps {
  readonly caption: string;
  readonly column: string;
  readonly by: "connection" | "model";
  readonly rows: readonly RequestRecord[];
  readonly t: Translate;
}

function SumTable({ caption, column, by, rows, t }: SumTableProps): VNode {
  const sums = useMemo(() => sumRequests(rows, by), [rows, by]);
  return (
    <ScrolledTable
      caption={caption}
      columns={[column, t("Requests"), t("Tokens in"), t("Cached"), t("Tokens out"), t("Cost")]}
      kind="sums"
    >
      {sums.map((sum) => (
        <tr key={sum.name} data-row={sum.name}>
          <th scope="row">{sum.name === "" ? t("No model") : sum.name}</th>
          {[sum.requests, sum.inputTokens, sum.cachedTokens, sum.outputTokens].map((count, index) => (
            <td key={index} class="number">
              {numberText(count)}
            </td>
          ))}
          <td class="number">
            {sum.costs.map((cost) => (
              <div key={cost.currency}>{formatMoney(cost, pageLanguage())}</div>
            ))}
            {sum.withoutCost > 0 && (
              <div class="cell-detail">
                {sum.withoutCost === 1
                  ? t("1 without a known cost")
                  : t("{0} without a known cost", numberText(sum.withoutCost))}
              </div>
            )}
          </td>
        </tr>
      ))}
    </ScrolledTable>
  );
}

interface RequestTableProps {
  readonly rows: readonly RequestRecord[];
  readonly requests: ShownRequests;
  readonly t: Translate;
}

function RequestTable({ rows, requests: { titles, causes }, t }: RequestTableProps): VNode {
  const keys = keysOf(rows);
  const time = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: "short", timeStyle: "medium" });
  return (
    <ScrolledTable
      caption={t("Newest first")}
      columns={[
        t("Date and time"),
        t("Asked by"),
        t("Model"),
        t("Connection"),
        t("Status"),
        t("Tokens in"),
        t("Cached"),
        t("Tokens out"),
        t("Cost"),
        t("First token (ms)"),
        t("Total (ms)"),
        t("Request ID"),
      ]}
      kind="rows"
    >
      {rows.map((row, at) => {
        const cost = costOfRequest(row);
        const numbers = [
          ...[row.inputTokens, row.cachedTokens, row.outputTokens].map(countText),
          cost === undefined ? "" : formatMoney(cost, pageLanguage()),
          ...[row.firstTokenMs, row.milliseconds].map(countText),
        ];
        return (
          <tr key={keys[at]} data-asker={row.asker.kind}>
            <th scope="row">
              <time dateTime={row.at}>{time.format(new Date(row.at))}</time>
            </th>
            <td class="asker">
              {askerText(row.asker, titles, t)}
              {row.asker.kind === "compaction" && <div class="cell-detail">{t("Compaction")}</div>}
            </td>
            <td>{row.model}</td>
            <td>{row.connection}</td>
            <td data-cause={row.cause}>
              <RequestStatus row={row} causes={causes} t={t} />
            </td>
            {numbers.map((text, index) => (
              <td key={index} class="number">
                {text}
              </td>
            ))}
            <td class="request-id">{row.requestId}</td>
          </tr>
        );
      })}
    </ScrolledTable>
  );
}

/** Returns a key per row that stays when rows are added above. Failures of the same millisecond may look the same. */
function keysOf(rows: readonly RequestRecord[]): readonly string[] {
  const counts = new Map<string, number>();
  return rows
    .toReversed()
    .map((row) => {
      const name = `${row.at} ${row.requestId ?? ""} ${row.milliseconds}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return `${name} ${count}`;
    })
    .toReversed();
}

function countText(count: number | undefined): string {
  return count === undefined ? "" : numberText(count);
}

interface RequestStatusProps {
  readonly row: RequestRecord;
  readonly causes: ShownRequests["causes"];
  readonly t: Translate;
}

/** A stopped request has no icon, because it did not fail. */
function RequestStatus({ row, causes, t }: RequestStatusProps): VNode {
  const text = statusText(row, causes);
  const hasFailed = row.cause !== undefined && row.cause !== "cancelled";
  return (
    <div class="cell">
      {hasFailed && <StateIcon state="bad" beside={text} t={t} />}
      <div>{text}</div>
    </div>
  );
}

/** The first and the last column with numbers, counted from 0. */
const numberColumns = { sums: [1, 5], rows: [5, 10] } as const;

interface ScrolledTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly kind: keyof typeof numberColumns;
  readonly children: readonly VNode[];
}

/** A table that scrolls sideways by itself, also by keyboard. */
function ScrolledTable({ caption, columns, kind, children }: ScrolledTableProps): VNode {
  const [firstNumber, lastNumber] = numberColumns[kind];
  return (
    <section class="requests-part">
      <h2>{caption}</h2>
      <div class={`table-frame requests-${kind}`} role="region" aria-label={caption} tabIndex={0}>
        <table class="requests-table" aria-label={caption}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  class={index >= firstNumber && index <= lastNumber ? "number" : undefined}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}
