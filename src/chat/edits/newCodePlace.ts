import { readDefinition } from "../../text/definitionNames.ts";
import { indentOf } from "../../text/indentation.ts";
import {
  columnsOf,
  definitionOf,
  isCode,
  isNode,
  type Item,
  type LineNode,
  type LineTree,
  nodesOf,
} from "../../text/lineTree.ts";

export interface InsertionPoint {
  /** The line ahead of which it goes in. */
  readonly at: number;
  readonly indent: string;
  /** Empty lines set it apart. */
  readonly isApart: boolean;
}

const typeName = /^(?:type|impl) /;
export const importLine =
  /^(?:import\b|from\s+\S+\s+import\b|#include\b|using\s+[\w.]+;|use\s+\S+;|(?:const|let|var)\s.*\brequire\()/;
/** What has to stay the first in a file. */
const beginning = /^(?:#!|#\s*-\*-|package\b|["']use |<\?php|declare\(|\/\*|\/\/|<!doctype)/i;

/** Where code goes that a file has nothing of: behind the cursor, but a function into no other. */
export function insertionPoint(tree: LineTree, block: LineTree, cursor: number): InsertionPoint {
  const nodes = nodesOf(block.root);
  const whole = nodes.find((node) => definitionOf(node, block)?.isWhole === true);
  if (nodes.length > 0 && nodes.every(({ head }) => importLine.test(head))) {
    return { at: placeOfImports(tree.root), indent: "", isApart: false };
  }
  const end = endOf(tree);
  if (whole === undefined) return placeOfStatement(tree, Math.min(cursor + 1, end));
  const owner = isMember(whole, block) ? typeAround(tree, cursor) : undefined;
  if (owner !== undefined) {
    const list = owner.parts.findLast((part) => part.some(isNode)) ?? [];
    const [first] = nodesOf(list);
    const indent =
      first === undefined ? indentOf(tree.lines[owner.start] ?? "") : indentOf(tree.lines[first.start] ?? "");
    const behind = nodesOf(list).find((node) => node.lead <= cursor && cursor < node.end);
    return { at: behind?.end ?? nodesOf(list).at(-1)?.end ?? owner.start + 1, indent, isApart: true };
  }
  const around = nodesOf(tree.root).find((node) => node.lead <= cursor && cursor < node.end);
  const at = around === undefined ? Math.min(cursor + 1, end) : around.end;
  return { at: Math.min(at, end), indent: "", isApart: true };
}

/** Whether it can stand anywhere in a file, such as a function. */
export function isInsertable(node: LineNode, tree: LineTree): boolean {
  return importLine.test(node.head) || definitionOf(node, tree)?.isWhole === true;
}

/** Behind the last import, else behind what has to stay the first. */
export function placeOfImports(root: readonly Item[]): number {
  const nodes = nodesOf(root);
  const last = nodes.findLast(({ head }) => importLine.test(head));
  if (last !== undefined) return last.end;
  return nodes.find(({ head, lead, start }) => lead === start && !beginning.test(head))?.lead ?? 0;
}

/** Behind the last line of a file, ahead of its last line break. */
export function endOf({ lines }: LineTree): number {
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function placeOfStatement({ lines }: LineTree, at: number): InsertionPoint {
  const before = lines.slice(0, at).findLast(isCode) ?? "";
  const after = lines.slice(at).find(isCode) ?? "";
  const isBlockBelow = /[{([:]\s*$/.test(before) && columnsOf(after) > columnsOf(before);
  return { at, indent: indentOf(isBlockBelow ? after : before), isApart: false };
}

/** Whether it is a method that stands outside of its class. */
function isMember(node: LineNode, tree: LineTree): boolean {
  const line = tree.lines[node.start]?.trim() ?? "";
  if (/^def\s+\w+\(\s*(?:self|cls)\b/.test(line) || /^fn\s+\w+\(\s*&?(?:mut\s+)?self\b/.test(line))
    return true;
  if (
    /\b(?:function|def|fn|func|fun|sub|class|interface|struct|enum|trait|type|const|let|var|namespace|module)\b/.test(
      line,
    )
  )
    return false;
  return (
    readDefinition(line, true)?.isWhole === true &&
    /^[^"'`{]*\(/.test(line) &&
    !/^[\w.]+\s*\(\s*["'`]/.test(line)
  );
}

/** The type that the cursor stands in; else the only one of the file. */
function typeAround(tree: LineTree, cursor: number): LineNode | undefined {
  const isType = (node: LineNode): boolean => typeName.test(definitionOf(node, tree)?.name ?? "");
  let list: readonly Item[] = tree.root;
  let found: LineNode | undefined;
  for (;;) {
    const around = nodesOf(list).find((node) => node.lead <= cursor && cursor < node.end);
    if (around === undefined) break;
    if (isType(around)) found = around;
    list = around.parts.flat();
  }
  if (found !== undefined) return found;
  const types = nodesOf(tree.root).filter(isType);
  return types.length === 1 ? types[0] : undefined;
}
