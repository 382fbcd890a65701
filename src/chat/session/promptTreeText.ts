import { isFields, readList, readString } from "../../protocol/conversation/json.ts";

/** Deeper trees are no prompt's. */
const maxDepth = 100;

/**
 * The text of a tree that `@vscode/prompt-tsx` made of a tool's result: its leaves carry `text`, and
 * `lineBreakBefore` where they begin a line. What is no such tree is given as JSON.
 */
export function promptTreeText(value: unknown): string {
  if (typeof value === "string") return value;
  const leaves = isFields(value) ? leavesOf(value["node"] ?? value, 0) : [];
  return leaves.length === 0 ? (JSON.stringify(value) ?? "") : leaves.join("");
}

function leavesOf(node: unknown, depth: number): readonly string[] {
  if (!isFields(node) || depth > maxDepth) return [];
  const text = readString(node, "text");
  if (text !== undefined) return [node["lineBreakBefore"] ? `\n${text}` : text];
  return (readList(node, "children") ?? []).flatMap((child) => leavesOf(child, depth + 1));
}
