import * as v from "valibot";
import { wholeEnd, wholeStart } from "./cutText.ts";
import { TerminalText } from "./terminalText.ts";

/** A cell of a notebook, from a file or from an open notebook. */
export interface NotebookCellText {
  readonly kind: "markdown" | "code";
  /** VS Code's language ID. */
  readonly language: string;
  /** With `\n` as line ends. */
  readonly source: string;
  readonly outputs: readonly CellOutput[];
}

/** One output in all its forms, such as a plot as text and as an image. */
export type CellOutput = readonly OutputForm[];

interface OutputForm {
  /** Media type, or one of VS Code's own types for streams and errors. */
  readonly type: string;
  /** Absent for forms that are only named. */
  readonly text?: string;
}

const streams: ReadonlyMap<string, string> = new Map([
  ["application/vnd.code.notebook.stdout", "stdout"],
  ["application/vnd.code.notebook.stderr", "stderr"],
]);
const errorType = "application/vnd.code.notebook.error";
/** Forms of a result whose text is written, the best first. */
const resultTypes = ["text/plain", "text/markdown", "text/latex"];

/** Whether the text of this form is written. */
export function isWrittenForm(type: string): boolean {
  return streams.has(type) || type === errorType || resultTypes.includes(type);
}

/** UTF-16 code units of one output. */
const maxOutputLength = 4000;
/** UTF-16 code units of all outputs. */
const maxOutputsLength = 200_000;

/**
 * Writes cells with their numbers as a text for people and models. Images and other rich outputs are only named.
 * @param firstNumber the number of the first cell, counted from 1
 */
export function writeCells(cells: readonly NotebookCellText[], firstNumber = 1): string {
  if (cells.length === 0) return "(The notebook has no cells.)\n";
  let room = maxOutputsLength;
  const written = cells.flatMap((cell, index) => {
    const outputs = joinStreams(cell.outputs).flatMap((output) => {
      const lines = writeOutput(output, firstNumber + index, Math.min(maxOutputLength, room));
      room = Math.max(0, room - lines.length);
      return lines === "" ? [] : [lines];
    });
    return [[writeSource(cell, firstNumber + index), ...outputs].join("\n")];
  });
  return `${written.join("\n\n")}\n`;
}

/** Writes cells without their outputs, as they are compared before and after an edit. */
export function writeSources(cells: readonly NotebookCellText[]): string {
  return writeCells(cells.map((cell) => ({ ...cell, outputs: [] })));
}

/** The start of each copy of cells. A notebook's file never has it. */
const copyStart = '{"copyOf":"cells",';

/** Copies cells without their outputs. `readCellsCopy` reads the copy. */
export function writeCellsCopy(cells: readonly NotebookCellText[]): string {
  const copied = cells.map(({ kind, language, source }) => ({
    cell_type: kind,
    source,
    metadata: { vscode: { languageId: language } },
  }));
  return `${copyStart}${JSON.stringify({ nbformat: 4, cells: copied }).slice(1)}`;
}

/** Undefined for a text that is no copy of cells. */
export function readCellsCopy(copy: string): readonly NotebookCellText[] | undefined {
  return copy.startsWith(copyStart) ? readNotebookJson(copy) : undefined;
}

function writeSource({ kind, language, source }: NotebookCellText, number: number): string {
  const heading = `--- Cell ${number} (${kind === "markdown" ? kind : language}) ---`;
  return source === "" ? heading : `${heading}\n${source}`;
}

/** Programs write a stream in many pieces. */
function joinStreams(outputs: readonly CellOutput[]): readonly CellOutput[] {
  const joined: CellOutput[] = [];
  for (const output of outputs) {
    const [before, now] = [joined.at(-1), streamOf(output)];
    if (before !== undefined && now !== undefined && streamOf(before) === now)
      joined[joined.length - 1] = [...before, ...output];
    else joined.push(output);
  }
  return joined;
}

/** The name of the stream if all forms are pieces of it. */
function streamOf(output: CellOutput): string | undefined {
  const [first] = output;
  return first !== undefined && output.every(({ type }) => type === first.type)
    ? streams.get(first.type)
    : undefined;
}

/** Empty for an output without any form. */
function writeOutput(output: CellOutput, number: number, length: number): string {
  const write = (name: string, text: string): string => {
    const shown = cutMiddle(plainText(text), length);
    return [`--- Output of cell ${number} (${name}) ---`, ...(shown === "" ? [] : [shown])].join("\n");
  };
  const stream = streamOf(output);
  if (stream !== undefined) return write(stream, output.map(({ text = "" }) => text).join(""));
  const error = output.find(({ type }) => type === errorType);
  if (error !== undefined) return write("error", readError(error.text ?? ""));
  const [shown] = resultTypes.flatMap((type) => output.filter((form) => form.type === type));
  const others = output.flatMap(({ type }) => (type === shown?.type ? [] : [type])).toSorted();
  const left = others.length === 0 ? "" : `not shown: ${others.join(", ")}`;
  if (shown !== undefined)
    return write(left === "" ? shown.type : `${shown.type}; ${left}`, shown.text ?? "");
  return left === "" ? "" : `--- Output of cell ${number} (${left}) ---`;
}

/** Leaves out escape sequences, and what a progress bar has drawn over. */
function plainText(text: string): string {
  const terminal = new TerminalText();
  return (terminal.push(text) + terminal.openRows).trimEnd();
}

/**
 * Keeps the start and the end of a long text. A word at a cut is left out as a whole: a part of a key would not be
 * found as a key.
 */
function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const [ahead, behind] = [wholeStart(text, half), wholeEnd(text, half)];
  const start = ahead.slice(0, ahead.length - (/\S*$/u.exec(ahead)?.[0].length ?? 0)).trimEnd();
  const end = behind.slice(/^\S*/u.exec(behind)?.[0].length ?? 0).trimStart();
  const note = `[${text.length - start.length - end.length} characters left out]`;
  return [start, note, end].filter((part) => part !== "").join("\n");
}

const errorSchema = v.object({
  name: v.fallback(v.string(), ""),
  message: v.fallback(v.string(), ""),
  stack: v.fallback(v.string(), ""),
});

/** The traceback, which usually ends with the message, or else the message alone. */
function readError(json: string): string {
  const parsed = v.safeParse(errorSchema, parseJson(json));
  if (!parsed.success) return json;
  const { name, message, stack } = parsed.output;
  const said = [name, message].filter((part) => part !== "").join(": ");
  if (stack.trim() === "") return said;
  return plainText(stack).includes(message) ? stack : `${said}\n${stack}`;
}

/** A text may be stored as a list of lines. */
const textSchema = v.union([
  v.string(),
  v.pipe(
    v.array(v.string()),
    v.transform((lines) => lines.join("")),
  ),
]);
const optionalText = v.fallback(textSchema, "");
const outputSchema = v.object({
  output_type: v.string(),
  name: v.fallback(v.string(), ""),
  text: optionalText,
  ename: v.fallback(v.string(), ""),
  evalue: v.fallback(v.string(), ""),
  traceback: v.fallback(v.array(v.string()), []),
  data: v.fallback(v.record(v.string(), v.unknown()), {}),
});
const cellSchema = v.object({
  cell_type: v.picklist(["code", "markdown", "raw"]),
  source: optionalText,
  metadata: v.fallback(v.object({ vscode: v.object({ languageId: v.string() }) }), {
    vscode: { languageId: "" },
  }),
  outputs: v.fallback(v.array(v.unknown()), []),
});
const language = v.fallback(v.string(), "");
const notebookSchema = v.object({
  // Older formats have worksheets, which VS Code does not open either.
  nbformat: v.pipe(v.number(), v.minValue(4)),
  cells: v.array(v.unknown()),
  metadata: v.fallback(
    v.object({
      language_info: v.fallback(v.object({ name: language }), { name: "" }),
      kernelspec: v.fallback(v.object({ language }), { language: "" }),
    }),
    { language_info: { name: "" }, kernelspec: { language: "" } },
  ),
});

/**
 * Reads the JSON of an `.ipynb` file as VS Code does. Undefined if it is no notebook, or of a format
 * before 4.
 */
export function readNotebookJson(json: string): readonly NotebookCellText[] | undefined {
  const parsed = v.safeParse(notebookSchema, parseJson(json));
  if (!parsed.success) return undefined;
  const { cells, metadata } = parsed.output;
  const usual = languageId(metadata.language_info.name || metadata.kernelspec.language || "python");
  return cells.flatMap((given): readonly NotebookCellText[] => {
    const cell = v.safeParse(cellSchema, given);
    if (!cell.success) return [];
    const { cell_type: type, source, metadata: own, outputs } = cell.output;
    const plain = withLineFeeds(source);
    if (type === "markdown") return [{ kind: "markdown", language: "markdown", source: plain, outputs: [] }];
    if (type === "raw") return [{ kind: "code", language: "raw", source: plain, outputs: [] }];
    const read = outputs.flatMap((output) => {
      const forms = readOutput(output);
      return forms.length === 0 ? [] : [forms];
    });
    return [{ kind: "code", language: own.vscode.languageId || usual, source: plain, outputs: read }];
  });
}

function readOutput(given: unknown): CellOutput {
  const parsed = v.safeParse(outputSchema, given);
  if (!parsed.success) return [];
  const { output_type: type, name, text, ename, evalue, traceback, data } = parsed.output;
  switch (type) {
    case "stream":
      return [{ type: `application/vnd.code.notebook.${name === "stderr" ? name : "stdout"}`, text }];
    case "error": {
      const error = { name: ename, message: evalue, stack: traceback.join("\n") };
      return [{ type: errorType, text: JSON.stringify(error) }];
    }
    default:
      return Object.entries(data).map(([form, value]) => {
        const read = isWrittenForm(form) ? v.safeParse(textSchema, value) : undefined;
        return read?.success === true ? { type: form, text: read.output } : { type: form };
      });
  }
}

/** VS Code's ID of a kernel's language. */
function languageId(name: string): string {
  return name.toLowerCase().replace(/^([a-z])#$/u, "$1sharp");
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/gu, "\n");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
