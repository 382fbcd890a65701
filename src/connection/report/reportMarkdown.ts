import type { Report, ReportBlock, ReportCell } from "./report.ts";

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
