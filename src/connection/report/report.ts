import type { Diagnosis } from "../diagnosis/diagnosis.ts";

/**
 * A page of results, such as that of the connection check, as plain JSON: the host says what stands on
 * it, the page draws it. All texts are in the user's language and shown as they are, never as HTML;
 * none of them holds a key.
 */
export interface Report {
  readonly title: string;
  /** The result at a glance. */
  readonly summary: { readonly state: ReportState; readonly text: string };
  readonly blocks: readonly ReportBlock[];
  /** Buttons, the most likely one first. */
  readonly actions: readonly ReportAction[];
}

/** `running` while results still come in; `neutral` is neither good nor bad. */
export type ReportState = "good" | "bad" | "running" | "neutral";

export interface ReportAction {
  /** Handed back to whoever showed the report. */
  readonly id: string;
  readonly label: string;
  /** It makes requests that the service may bill, which the page tells. */
  readonly isBillable?: boolean;
}

export type ReportBlock =
  /** Labels and values, such as the connection and the time. */
  | { readonly kind: "facts"; readonly rows: readonly ReportFact[] }
  | {
      readonly kind: "table";
      readonly caption: string;
      readonly columns: readonly string[];
      /** Each as long as `columns`; the first cell names the row. */
      readonly rows: readonly (readonly ReportCell[])[];
    }
  /** A failure, with its evidence behind a fold; its actions come back by their ids. */
  | { readonly kind: "diagnosis"; readonly diagnosis: Diagnosis }
  | { readonly kind: "note"; readonly text: string };

export interface ReportFact {
  readonly label: string;
  readonly value: string;
}

export interface ReportCell {
  readonly text: string;
  /** Shown as an icon with a spoken name; never told by colour alone. */
  readonly state?: ReportState | "skipped";
  /** A second, smaller line, such as a request ID or the evidence. */
  readonly detail?: string;
}
