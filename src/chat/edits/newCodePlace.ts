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
  /** The code is inserted before this line. */
  readonly at: number;
  readonly indent: string;
  /** Whether to surround the code with empty lines. */
  readonly isApart: boolean;
}

const typeName = /^(?:type|impl) /;
export const importLine =
  /^(?:import\b|from\s+\S+\s+import\b|#include\b|using\s+[\w.]+;|use\s+\S+;|(?:const|let|var)\s.*\brequire\()/;
/** Lines that must stay first in a file. */
const beginning = /^(?:#!|#\s*-\*-|package\b|["']use |<\?php|declare\(|\/\*|\/\/|<!doctype)/i;

/**
 * Finds a place for new code: imports below other imports, functions outside of other functions, and other code after
 * the cursor's line.
 */
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

/** Whether the node is an import or a complete definition, which does not depend on the lines next to it. */
export function isInsertable(node: LineNode, tree: LineTree): boolean {
  return importLine.test(node.head) || definitionOf(node, tree)?.isWhole === true;
}

/** Returns the line after the last import, or else after the lines that must stay first. */
export function placeOfImports(root: readonly Item[]): number {
  const nodes = nodesOf(root);
  const last = nodes.findLast(({ head }) => importLine.test(head));
  if (last !== undefined) return last.end;
  return nodes.find(({ head, lead, start }) => lead === start && !beginning.test(head))?.lead ?? 0;
}

/** Returns the number of lines. A final line break does not start another line. */
export function endOf({ lines }: LineTree): number {
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function placeOfStatement({ lines }: LineTree, at: number): InsertionPoint {
  const before = lines.slice(0, at).findLast(isCode) ?? "";
  const after = lines.slice(at).find(isCode) ?? "";
  const isBlockBelow = /[{([:]\s*$/.test(before) && columnsOf(after) > columnsOf(before);
  return { at, indent: indentOf(isBlockBelow ? after : before), isApart: false };
}

/** Whether the node is a method without its class. */
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

/** Returns the type around the cursor, or else the only type of the file. */
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
