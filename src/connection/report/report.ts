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

/** A page of results as Markdown, to be pasted into an issue or a document. */
export function reportMarkdown({ title, summary, blocks }: Report): string {
  const sections = [`# ${escape(title)}`, escape(summary.text), ...blocks.map(convertBlock)];
  return `${sections.join("\n\n")}\n`;
}

function convertBlock(block: ReportBlock): string {
  switch (block.kind) {
    case "facts":
      return block.rows.map(({ label, value }) => `- ${escape(label)}: ${escape(value)}`).join("\n");
    case "table":
      return [
        `## ${escape(block.caption)}`,
        "",
        line(block.columns.map(escape)),
        line(block.columns.map(() => "---")),
        ...block.rows.map((cells) => line(cells.map(convertCell))),
      ].join("\n");
    case "diagnosis": {
      const { title, explanation, evidence, requestId } = block.diagnosis;
      const facts = [...evidence, ...(requestId === undefined ? [] : [requestId])];
      return [
        `**${escape(title)}.** ${escape(explanation)}`,
        ...facts.map((fact) => `- ${escape(fact)}`),
      ].join("\n");
    }
    case "note":
      return escape(block.text);
  }
}

function convertCell({ text, detail }: ReportCell): string {
  return detail === undefined ? escape(text) : `${escape(text)}: ${escape(detail)}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Texts are shown as they are: no mark-up of theirs is read, and no cell ends early. */
function escape(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`);
}
