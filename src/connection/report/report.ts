import type { Diagnosis } from "../diagnosis/diagnosis.ts";

/**
 * A page of results, such as a connection check, as plain JSON. The host creates it, and the page displays it. All
 * texts are in the user's language and displayed literally, never as HTML. No text contains a key.
 */
export interface Report {
  readonly title: string;
  readonly summary: { readonly state: ReportState; readonly text: string };
  readonly blocks: readonly ReportBlock[];
  /** Buttons, the most likely one first. */
  readonly actions: readonly ReportAction[];
}

/** `running`: results are still arriving. `neutral`: not good and not bad. */
export type ReportState = "good" | "bad" | "running" | "neutral";

export interface ReportAction {
  /** Returned to the caller when the button is clicked. */
  readonly id: string;
  readonly label: string;
  /** Whether the action sends billable requests. The page displays this. */
  readonly isBillable?: boolean;
}

export type ReportBlock =
  /** Labels and values, such as the connection and the time. */
  | { readonly kind: "facts"; readonly rows: readonly ReportFact[] }
  | {
      readonly kind: "table";
      readonly caption: string;
      readonly columns: readonly string[];
      /** Each row is as long as `columns`. The first cell names the row. */
      readonly rows: readonly (readonly ReportCell[])[];
    }
  /** A failure with collapsible evidence. Clicked actions are returned by their IDs. */
  | { readonly kind: "diagnosis"; readonly diagnosis: Diagnosis }
  | { readonly kind: "note"; readonly text: string };

export interface ReportFact {
  readonly label: string;
  readonly value: string;
}

export interface ReportCell {
  readonly text: string;
  /** Displayed as an icon with an accessible name, never as a color alone. */
  readonly state?: ReportState | "skipped";
  /** A second, smaller line, such as a request ID or evidence. */
  readonly detail?: string;
}

/** Converts a page of results to Markdown, for issues and documents. */
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

/** Escapes Markdown, so that a text is displayed literally and cannot end a table cell. */
function escape(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`);
}
