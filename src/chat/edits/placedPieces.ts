import { type IndentStyle, indentOf } from "../../text/indentation.ts";
import {
  hasWord,
  isCode,
  isComment,
  isNode,
  isStub,
  type Item,
  type LineNode,
  type LineTree,
  nodesOf,
} from "../../text/lineTree.ts";
import { endOf, importLine, placeOfImports } from "./newCodePlace.ts";
import type { PieceSearch } from "./pieceSearch.ts";

/** Replaces the file's lines from `start` up to `end`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A list of the file, matched with a list of the block. */
interface Joined {
  readonly list: readonly Item[];
  readonly items: readonly Item[];
  readonly matches: ReadonlyMap<LineNode, LineNode>;
  /** The indent of the file's list (`to`) and of the block's list (`from`). */
  readonly to: string;
  readonly from: string;
  /** Start and end line of the list in the file, if the block with its marks represents all of it. */
  readonly edges: { readonly start: number; readonly end: number } | undefined;
  /** Whether the block contains the closing line around the list. */
  readonly isClosed: boolean;
}

type Stop =
  | { readonly kind: "node"; readonly node: LineNode; readonly file: LineNode }
  /** The block may leave out lines here. */
  | { readonly kind: "mark" }
  | { readonly kind: "edge" };

/** Separators around inserted code: empty lines and a comma. */
interface Beside {
  readonly above?: boolean;
  readonly below?: boolean;
  readonly comma?: "," | "";
}

const jump = /^(?:return|throw|raise|break|continue|exit|goto)\b/;
/** A Markdown heading, or the header of a section in TOML or another settings file. */
const section = /^\[[^\][]+\]$|^\[\[[^\][]+\]\]$|^#{1,6}\s+\S/;
const waits = /^(?:await|yield|void)\s+/;

/** Inserts the pieces of a block into the file. Each piece replaces its match; parts that the block leaves out stay. */
export class PlacedPieces {
  readonly #file: LineTree;
  readonly #block: LineTree;
  readonly #style: IndentStyle;
  readonly #search: PieceSearch;
  readonly #edits: Edit[] = [];

  constructor(file: LineTree, block: LineTree, style: IndentStyle, search: PieceSearch) {
    this.#file = file;
    this.#block = block;
    this.#style = style;
    this.#search = search;
  }

  /**
   * Returns the file's new lines. Returns `not-found` if the block has no usable match, and `unsure` if one of its
   * pieces has no safe place.
   */
  place(): readonly string[] | "not-found" | "unsure" {
    const { tail, lines, isRegular } = this.#block;
    if (!isRegular) return "not-found";
    const root = unwrap(this.#block.root);
    const wrapped = root === this.#block.root ? undefined : wrapperOf(this.#file.root);
    const list = this.#search.chooseList(root) ?? wrapped?.parts[0];
    if (list === undefined) return "not-found";
    const matches = this.#search.match(list, root);
    const items = this.#placeElsewhere(list, root, matches);
    const joined: Joined = {
      list,
      items,
      matches,
      to: this.#fileIndent(outermost(list)),
      from: this.#blockIndent(root),
      edges: this.#edgesOf(list, root, wrapped),
      isClosed: tail < lines.length && list !== this.#file.root,
    };
    if (!this.#join(joined)) return "unsure";
    return this.#apply() ?? "unsure";
  }

  /** Returns the start and end line of a list, if the block with its marks represents all of it. */
  #edgesOf(list: Item[], root: readonly Item[], wrapped: LineNode | undefined): Joined["edges"] {
    if (wrapped !== undefined && list === wrapped.parts[0]) {
      return { start: wrapped.start + 1, end: wrapped.joints[0] ?? wrapped.end };
    }
    const hasMarks = root.some(({ kind }) => kind === "mark");
    return hasMarks && list === this.#file.root ? { start: 0, end: endOf(this.#file) } : undefined;
  }

  /** Places definitions and imports with a match in another list. In the result, a mark replaces each of them. */
  #placeElsewhere(
    list: readonly Item[],
    items: readonly Item[],
    matches: ReadonlyMap<LineNode, LineNode>,
  ): readonly Item[] {
    return items.map((item): Item => {
      if (!isNode(item) || matches.has(item) || item.hasMarks) return item;
      const isNamed = this.#search.isWhole(item, this.#block) || importLine.test(item.head);
      const others = isNamed
        ? this.#search.candidates(item).filter((each) => each.list !== list && !this.#search.used.has(each))
        : [];
      const file = this.#search.choose(
        others,
        ({ lead }) => lead,
        ({ end }) => end,
      );
      if (file === undefined) return item;
      this.#search.used.add(file);
      this.#replace(item, file, this.#fileIndent(file), this.#blockIndent([item]));
      return { kind: "mark", line: item.start, mark: "mark", indent: item.indent };
    });
  }

  /** Returns false if a safe place cannot be determined. */
  #join(joined: Joined): boolean {
    const { items } = joined;
    let left: Stop = joined.edges === undefined ? { kind: "mark" } : { kind: "edge" };
    let fresh: LineNode[] = [];
    for (const [at, item] of items.entries()) {
      if (!isNode(item)) {
        if (!this.#fill(joined, left, fresh, { kind: "mark" })) return false;
        [left, fresh] = [{ kind: "mark" }, []];
        continue;
      }
      const file = joined.matches.get(item);
      if (file === undefined) {
        if (item.hasMarks && !isStub(item)) return false;
        fresh.push(item);
        continue;
      }
      const right: Stop = { kind: "node", node: item, file };
      if (!this.#fill(joined, left, fresh, right) || !this.#joinNode(item, file, !isNode(items[at + 1])))
        return false;
      [left, fresh] = [right, []];
    }
    if (left.kind === "mark" && this.#fillSection(joined, fresh)) return true;
    const end: Stop = joined.edges === undefined ? { kind: "mark" } : { kind: "edge" };
    if (joined.isClosed && left.kind === "node") return this.#fillToEnd(joined, left.file, left.node, fresh);
    return this.#fill(joined, left, fresh, end);
  }

  /** After a mark, adds new lines to the end of the last section in the block, such as `[dependencies]`. */
  #fillSection(joined: Joined, fresh: readonly LineNode[]): boolean {
    const { list, items, matches } = joined;
    const [first, last] = [fresh[0], fresh.at(-1)];
    const shown = nodesOf(items).findLast(({ head }) => section.test(head));
    const file = shown && matches.get(shown);
    if (first === undefined || last === undefined || file === undefined) return false;
    const behind = nodesOf(list.slice(file.index + 1));
    const next = behind.findIndex(({ head }) => section.test(head));
    const at = (next === -1 ? behind : behind.slice(0, next)).at(-1)?.end ?? file.end;
    this.#edit(joined, at, at, first.lead, last.end);
    return true;
  }

  /** Inserts code between two matched places, or next to one of them. */
  #fill(joined: Joined, left: Stop, fresh: readonly LineNode[], right: Stop): boolean {
    const { list } = joined;
    if (left.kind === "node" && right.kind === "node") return this.#fillBetween(joined, left, fresh, right);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (first === undefined || last === undefined) return true;
    if (left.kind === "node") {
      const next = list[left.file.index + 1];
      const end = isNode(next) && this.#isLike(first, next) ? next.end : left.file.end;
      this.#edit(joined, left.file.end, end, left.node.end, last.end);
      return true;
    }
    if (right.kind === "node") {
      const previous = list[right.file.index - 1];
      const isLike = isNode(previous) && this.#isLike(last, previous);
      const start = isLike ? (last.lead < last.start ? previous.lead : previous.start) : right.file.lead;
      this.#edit(joined, start, isLike ? right.file.lead : start, first.lead, right.node.lead);
      return true;
    }
    return this.#fillOpen(joined, left, fresh, right);
  }

  #fillBetween(
    joined: Joined,
    left: Extract<Stop, { kind: "node" }>,
    fresh: readonly LineNode[],
    right: Extract<Stop, { kind: "node" }>,
  ): boolean {
    const { list } = joined;
    const between = nodesOf(list.slice(left.file.index + 1, right.file.index));
    // Keep comments between the two places, and definitions that the block does not show.
    const areComments = between.every(({ start }) => isComment(this.#file.lines[start] ?? ""));
    if (areComments && fresh.length === 0) return true;
    const stays =
      (areComments && between.length > 0) ||
      between.some((node) => this.#search.used.has(node) || this.#search.isWhole(node, this.#file));
    if (left.file.index < right.file.index && !stays) {
      this.#edit(joined, left.file.end, right.file.lead, left.node.end, right.node.lead);
      return true;
    }
    const last = fresh.at(-1);
    if (last !== undefined) this.#edit(joined, left.file.end, left.file.end, left.node.end, last.end);
    return true;
  }

  /** Inserts new code without a matched line next to it. */
  #fillOpen(joined: Joined, left: Stop, fresh: readonly LineNode[], right: Stop): boolean {
    const { list, edges } = joined;
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (first === undefined || last === undefined) return true;
    const areWhole = fresh.every((node) => this.#search.isWhole(node, this.#block));
    if (list === this.#file.root && fresh.every(({ head }) => importLine.test(head))) {
      const at = placeOfImports(list);
      this.#edit(joined, at, at, first.lead, last.end);
      return true;
    }
    if (left.kind === "edge" && edges !== undefined) {
      const [next] = list;
      const isLike = isNode(next) && this.#isLike(first, next);
      if (isLike) this.#edit(joined, next.lead, next.end, first.lead, last.end);
      else this.#edit(joined, edges.start, edges.start, first.lead, last.end, { below: areWhole });
      return true;
    }
    const final = list.at(-1);
    const end = isNode(final) ? final : undefined;
    if (right.kind === "edge" && edges !== undefined) {
      if (end !== undefined && this.#isLike(last, end)) {
        this.#edit(joined, end.lead, end.end, first.lead, last.end);
        return true;
      }
      if (end !== undefined && jump.test(end.head) && !areWhole) return false;
      const at = end?.end ?? edges.end;
      const above = this.#file.lines[at - 1] ?? "";
      if (end !== undefined && this.#needsComma(nodesOf(list), first)) {
        this.#edits.push({ start: at - 1, end: at, lines: [`${above},`] });
      }
      this.#edit(joined, at, at, first.lead, last.end, { above: areWhole && end !== undefined });
      return true;
    }
    if (!areWhole) return false;
    const at = end?.end ?? edges?.end ?? endOf(this.#file);
    this.#edit(joined, at, at, first.lead, last.end, { above: true });
    return true;
  }

  /** Whether the list's last entry needs a comma before another entry can follow. */
  #needsComma(nodes: readonly LineNode[], fresh: LineNode): boolean {
    const endsWithComma = ({ end }: LineNode): boolean => /,\s*$/.test(this.#file.lines[end - 1] ?? "");
    const last = nodes.at(-1);
    if (last === undefined || /[,;{([]\s*$/.test(this.#file.lines[last.end - 1] ?? "")) return false;
    const others = nodes.slice(0, -1);
    if (others.length > 0) return others.every(endsWithComma);
    return (
      /^["'][^"']*["']\s*:/.test(fresh.head) ||
      /[[(]\s*$/.test(this.#file.lines[last.parent?.start ?? -1] ?? "")
    );
  }

  /**
   * Replaces the rest of the file's list with the block's new code: the block shows the end of the list. If the rest
   * contains a node that must stay, inserts the new code before the rest.
   */
  #fillToEnd(joined: Joined, file: LineNode, node: LineNode, fresh: readonly LineNode[]): boolean {
    const left = nodesOf(joined.list.slice(file.index + 1));
    const stays = left.some((each) => this.#search.used.has(each) || this.#search.isWhole(each, this.#file));
    const last = fresh.at(-1);
    const end = stays ? file.end : (left.at(-1)?.end ?? file.end);
    if (last !== undefined || end > file.end)
      this.#edit(joined, file.end, end, node.end, last?.end ?? node.end);
    return true;
  }

  #isLike(node: LineNode, file: LineNode): boolean {
    if (
      this.#search.used.has(file) ||
      this.#search.isWhole(file, this.#file) !== this.#search.isWhole(node, this.#block)
    )
      return false;
    const [name, other] = [
      this.#search.definition(node, this.#block)?.name,
      this.#search.definition(file, this.#file)?.name,
    ];
    if (name !== undefined && other !== undefined && name !== other) return false;
    const ours = wordsOf(node.head.replace(waits, ""));
    const theirs = [...new Set(wordsOf(file.head.replace(waits, "")))];
    if (ours[0] === undefined || ours[0] !== theirs[0]) return false;
    const own = new Set(ours);
    const shared = theirs.filter((word) => own.has(word)).length;
    // Two of three equal words are not enough: `run: npm test` is not like `run: npm start`.
    const all = own.size + theirs.length;
    return shared * 8 >= 3 * all || (shared === theirs.length && shared * 4 >= all);
  }

  /** @param isLast whether the block shows nothing after the node. Its last line may then lack a comma. */
  #joinNode(node: LineNode, file: LineNode, isLast: boolean): boolean {
    const to = this.#fileIndent(file);
    const from = this.#blockIndent([node]);
    if (!node.hasMarks) {
      this.#replace(node, file, to, from, isLast);
      return true;
    }
    const isOneLine = file.end === file.start + 1;
    const isBare = node.parts.every((part) => part.every(({ kind }) => kind === "mark"));
    if (isOneLine && isBare) {
      if (isStub(node) && /[:=]\s*(?:pass|\.\.\.)?$/.test(file.head)) this.#replace(node, file, to, from);
      return isStub(node) || file.head.startsWith(node.head);
    }
    if (isOneLine || node.joints.length !== file.joints.length) return false;
    const ours = [node.start, ...node.joints, node.end];
    const theirs = [file.start, ...file.joints, file.end];
    if (node.lead < node.start) this.#put(file.lead, file.start, node.lead, node.start, from, to);
    for (const [at, part] of node.parts.entries()) {
      const [our = 0, their = 0] = [ours[at], theirs[at]];
      const [ourNext = node.end, theirNext = file.end] = [ours[at + 1], theirs[at + 1]];
      const isEnd = at === node.parts.length - 1;
      this.#put(their, their + 1, our, our + 1, from, to, {
        comma: isEnd ? this.#commaOf(file, isLast) : "",
      });
      const list = file.parts[at] ?? [];
      if (!part.some((item) => !isNode(item) || item.hasMarks)) {
        this.#put(their + 1, theirNext, our + 1, ourNext, from, to);
        continue;
      }
      const first = outermost(list);
      const inner: Joined = {
        list,
        items: part,
        matches: this.#search.match(list, part),
        to: first === undefined ? this.#style.deeper(to) : this.#fileIndent(first),
        from: this.#blockIndent(part, from),
        edges: { start: their + 1, end: theirNext },
        isClosed: false,
      };
      if (!this.#join(inner)) return false;
    }
    return true;
  }

  #replace(node: LineNode, file: LineNode, to: string, from: string, isLast = false): void {
    const start = node.lead < node.start ? file.lead : file.start;
    this.#put(start, file.end, node.lead, node.end, from, to, { comma: this.#commaOf(file, isLast) });
  }

  /** Returns the comma after the file's node if the block's node may lack it. */
  #commaOf(file: LineNode, isLast: boolean): "," | "" {
    return isLast && /,\s*$/.test(this.#file.lines[file.end - 1] ?? "") ? "," : "";
  }

  #edit(
    { from, to }: Joined,
    start: number,
    end: number,
    ourStart: number,
    ourEnd: number,
    beside: Beside = {},
  ): void {
    this.#put(start, end, ourStart, ourEnd, from, to, beside);
  }

  #put(
    start: number,
    end: number,
    ourStart: number,
    ourEnd: number,
    from: string,
    to: string,
    { above = false, below = false, comma = "" }: Beside = {},
  ): void {
    const lines = [...this.#style.convert(ourStart, ourEnd, from, to)];
    const last = lines.pop();
    if (last !== undefined) lines.push(/[,;{([]\s*$/.test(last) ? last : last + comma);
    // Separate new functions with empty lines.
    if (above && isCode(lines[0] ?? "") && isCode(this.#file.lines[start - 1] ?? "")) lines.unshift("");
    if (below && isCode(lines.at(-1) ?? "") && isCode(this.#file.lines[end] ?? "")) lines.push("");
    this.#edits.push({ start, end, lines });
  }

  #fileIndent(node: LineNode | undefined): string {
    return indentOf(this.#file.lines[node?.start ?? 0] ?? "");
  }

  #blockIndent(items: readonly Item[], otherwise = ""): string {
    const first = outermost(items);
    return first === undefined ? otherwise : indentOf(this.#block.lines[first.start] ?? "");
  }

  /** Returns undefined if two pieces replace the same lines. */
  #apply(): readonly string[] | undefined {
    const edits = [...this.#edits].sort((one, other) => one.start - other.start || one.end - other.end);
    const parts: (readonly string[])[] = [];
    let from = 0;
    for (const { start, end, lines } of edits) {
      if (start < from) return undefined;
      parts.push(this.#file.lines.slice(from, start), lines);
      from = end;
    }
    return [...parts, this.#file.lines.slice(from)].flat();
  }
}

/** Removes brackets around the whole block, such as those of a JSON file. Brackets alone have no match. */
function unwrap(root: Item[]): Item[] {
  const [only, ...others] = nodesOf(root);
  const [inner, ...further] = only?.parts ?? [];
  if (only === undefined || others.length > 0 || inner === undefined) return root;
  const isWrapped = only.hasMarks && !hasWord(only.head) && further.every((part) => part.length === 0);
  return isWrapped ? unwrap(inner) : root;
}

/** Returns the brackets around the whole file. */
function wrapperOf(root: readonly Item[]): LineNode | undefined {
  const [only, ...others] = nodesOf(root);
  return others.length === 0 && only !== undefined && /^[{[(]/.test(only.head) ? only : undefined;
}

/**
 * Returns the first node with the smallest indent. Parameters on separate lines may have a larger indent than a body.
 */
function outermost(items: readonly Item[]): LineNode | undefined {
  let found: LineNode | undefined;
  for (const node of nodesOf(items)) if (found === undefined || node.indent < found.indent) found = node;
  return found;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
