import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, visitorKeys } from "oxc-parser";
import * as v from "valibot";

const nodeSchema = v.looseObject({ type: v.string(), start: v.number() });
type Node = v.InferOutput<typeof nodeSchema>;

/** A text in the code and its enclosing syntax. */
export interface CodeText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Enclosing node types and names of properties, attributes, and called functions, innermost first. */
  readonly around: readonly string[];
}

/** A call that translates a text. */
interface Translation {
  readonly file: string;
  readonly line: number;
  /** Undefined if the text is built at run time. */
  readonly text: string | undefined;
  /** Number of values passed; undefined if the call spreads them. */
  readonly values: number | undefined;
}

export interface ShownTexts {
  readonly texts: readonly CodeText[];
  readonly translations: readonly Translation[];
}

const root = path.resolve(import.meta.dirname, "../..");
/** Names of translating functions, as in `t`, `translate`, `this.#translate`, `vscode.l10n.t`. */
const translators = new Set(["t", "translate"]);

/** Reads every text of the sources in a folder (relative to the repository root). */
export function readTexts(folder: string): ShownTexts {
  const texts: CodeText[] = [];
  const translations: Translation[] = [];
  for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || name.endsWith(".d.ts")) continue;
    const file = path.posix.join(folder, name.replaceAll(path.sep, "/"));
    const source = readFileSync(path.join(root, file), "utf8");
    const lineOf = ({ start }: Node): number => source.slice(0, start).split("\n").length;
    const visit = (node: Node, around: readonly string[]): void => {
      const text = textOf(node);
      if (text !== undefined) texts.push({ file, line: lineOf(node), text, around });
      if (node.type === "CallExpression" && translators.has(calleeOf(node))) {
        const values = nodesIn(node["arguments"]);
        const [first] = values;
        const spreads = values.some(({ type }) => type === "SpreadElement");
        translations.push({
          file,
          line: lineOf(node),
          text: first === undefined ? undefined : textOf(first),
          values: spreads ? undefined : values.length - 1,
        });
      }
      for (const key of visitorKeys[node.type] ?? []) {
        if (key === "source" || key === "typeAnnotation") continue;
        for (const child of nodesIn(node[key])) visit(child, [...labelsOf(node, key), ...around]);
      }
    };
    visit(v.parse(nodeSchema, parseSync(file, source).program), []);
  }
  return { texts, translations };
}

/** Text of a string literal or of a template's static part. */
function textOf(node: Node): string | undefined {
  switch (node.type) {
    case "Literal":
    case "JSXText":
      return typeof node["value"] === "string" ? node["value"] : undefined;
    case "TemplateElement": {
      const { cooked } = v.parse(v.object({ cooked: v.string() }), node["value"]);
      return cooked;
    }
    default:
      return undefined;
  }
}

function labelsOf(node: Node, key: string): readonly string[] {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression":
      return key === "arguments" ? [`${calleeOf(node)}()`] : [];
    case "Property":
    case "PropertyDefinition":
      return key === "value" ? [`${nameOf(node["key"])}:`] : ["key"];
    case "JSXAttribute":
      return [`${nameOf(node["name"])}=`];
    case "BinaryExpression":
    case "SwitchCase":
    case "TSLiteralType":
      return [node.type];
    default:
      return [];
  }
}

function calleeOf(node: Node): string {
  const [callee] = nodesIn(node["callee"]);
  if (callee?.type === "Super") return "super";
  return callee?.type === "MemberExpression" ? nameOf(callee["property"]) : nameOf(callee);
}

function nameOf(value: unknown): string {
  const named = v.safeParse(v.object({ name: v.string() }), value);
  return named.success ? named.output.name : "";
}

function nodesIn(value: unknown): readonly Node[] {
  return [value].flat().flatMap((each) => {
    const parsed = v.safeParse(nodeSchema, each);
    return parsed.success ? [parsed.output] : [];
  });
}
