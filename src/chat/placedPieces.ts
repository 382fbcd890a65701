import type { Definition } from "./definitionNames.ts";
import { type IndentStyle, indentOf } from "./indentStyle.ts";
import {
  definitionOf,
  hasWord,
  isCode,
  isComment,
  isNode,
  type Item,
  type LineNode,
  type LineTree,
  nodesOf,
  walkNodes,
} from "./lineTree.ts";
import { endOf, importLine, placeOfImports } from "./newCodePlace.ts";

/** Lines of the file from `start` up to `end` that give way. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** What a list of the file and one of the block are held together by. */
interface Joined {
  readonly list: readonly Item[];
  readonly items: readonly Item[];
  readonly matches: ReadonlyMap<LineNode, LineNode>;
  /** The indent of the file's list and of the block's. */
  readonly to: string;
  readonly from: string;
  /** Where the list begins and ends in the file, if the block shows these ends. */
  readonly edges: { readonly start: number; readonly end: number } | undefined;
  /** Whether the block closes what the list stands in. */
  readonly isClosed: boolean;
}

type Stop =
  | { readonly kind: "node"; readonly node: LineNode; readonly file: LineNode }
  /** Something may stand there that the block does not show. */
  | { readonly kind: "mark" }
  | { readonly kind: "edge" };

/** What sets code apart from its neighbours. */
interface Beside {
  readonly above?: boolean;
  readonly below?: boolean;
  readonly comma?: "," | "";
}

interface Candidate {
  readonly list: Item[];
  score: number;
  /** Of the nodes found in it. */
  first: LineNode;
  last: LineNode;
}

const jump = /^(?:return|throw|raise|break|continue|exit|goto)\b/;
const waits = /^(?:await|yield|void)\s+/;
const longestPattern = 20_000;
/** More like lines are no names. */
const mostChosenFrom = 100;

/** Puts the pieces of a block into the file: each in the place of what it is like, whose other parts stay. */
export class PlacedPieces {
  readonly #file: LineTree;
  readonly #block: LineTree;
  readonly #style: IndentStyle;
  readonly #cursor: number;
  readonly #edits: Edit[] = [];
  readonly #byHead = new Map<string, LineNode[]>();
  readonly #byName = new Map<string, LineNode[]>();
  readonly #names = new Map<LineNode, Definition | undefined>();
  readonly #used = new Set<LineNode>();
  /** Lines that the block has, too, up to each line of the file. */
  readonly #knownUpTo: readonly number[];
  readonly #wordLines: number;

  constructor(file: LineTree, block: LineTree, style: IndentStyle, cursor: number) {
    this.#file = file;
    this.#block = block;
    this.#style = style;
    this.#cursor = cursor;
    const known = new Set(block.lines.filter(hasWord).map((line) => line.trim()));
    this.#wordLines = block.lines.filter(hasWord).length;
    const sums = [0];
    for (const line of file.lines) sums.push((sums.at(-1) ?? 0) + Number(known.has(line.trim())));
    this.#knownUpTo = sums;
  }

  /** The file's new lines. */
  place(): readonly string[] | "not-found" | "unsure" {
    const { tail, lines, isRegular } = this.#block;
    if (!isRegular) return "not-found";
    const root = unwrap(this.#block.root);
    const wrapped = root === this.#block.root ? undefined : wrapperOf(this.#file.root);
    this.#findAll();
    const list = this.#chooseList(root) ?? wrapped?.parts[0];
    if (list === undefined) return "not-found";
    const matches = this.#match(list, root);
    const items = this.#placeElsewhere(list, root, matches);
    const [first] = nodesOf(list);
    const joined: Joined = {
      list,
      items,
      matches,
      to: indentOf(this.#file.lines[first?.start ?? 0] ?? ""),
      from: this.#blockIndent(root),
      edges: this.#edgesOf(list, root, wrapped),
      isClosed: tail < lines.length && list !== this.#file.root,
    };
    if (!this.#join(joined)) return "unsure";
    return this.#apply() ?? "unsure";
  }

  /** Where a list begins and ends, if the block shows it from its beginning to its end. */
  #edgesOf(list: Item[], root: readonly Item[], wrapped: LineNode | undefined): Joined["edges"] {
    if (wrapped !== undefined && list === wrapped.parts[0]) {
      return { start: wrapped.start + 1, end: wrapped.joints[0] ?? wrapped.end };
    }
    const hasMarks = root.some(({ kind }) => kind === "mark");
    return hasMarks && list === this.#file.root ? { start: 0, end: endOf(this.#file) } : undefined;
  }

  #findAll(): void {
    const heads = new Set<string>();
    const wanted = new Set<string>();
    for (const node of walkNodes(this.#block.root)) {
      if (hasWord(node.head)) heads.add(node.head);
      const name = this.#definition(node, this.#block)?.name;
      if (name !== undefined) wanted.add(name);
    }
    const pattern = nameLines(wanted);
    for (const node of walkNodes(this.#file.root)) {
      if (heads.has(node.head)) add(this.#byHead, node.head, node);
      if (!pattern.test(this.#file.lines[node.start] ?? "")) continue;
      const name = this.#definition(node, this.#file)?.name;
      if (name !== undefined && wanted.has(name)) add(this.#byName, name, node);
    }
  }

  #definition(node: LineNode, tree: LineTree): Definition | undefined {
    if (!this.#names.has(node)) this.#names.set(node, definitionOf(node, tree));
    return this.#names.get(node);
  }

  #isWhole(node: LineNode, tree: LineTree): boolean {
    return this.#definition(node, tree)?.isWhole === true;
  }

  /** What a node of the block may stand for, wherever it is in the file. */
  #candidates(node: LineNode): readonly LineNode[] {
    const same = this.#byHead.get(node.head) ?? [];
    if (same.length > 0) return same;
    return this.#named(node, this.#byName);
  }

  /** Those of a node's name. A name that several plain lines have, such as that of an element, is none. */
  #named(node: LineNode, byName: ReadonlyMap<string, readonly LineNode[]>): readonly LineNode[] {
    const definition = this.#definition(node, this.#block);
    const named = (definition && byName.get(definition.name)) ?? [];
    return named.length > 1 && definition?.isWhole !== true ? [] : named;
  }

  /** The list of the file that has the most of the block; of like ones by the lines in it, then by the cursor. */
  #chooseList(root: readonly Item[]): Item[] | undefined {
    const nodes = nodesOf(root);
    const found = new Map<Item[], Candidate>();
    const counted = new Set<string>();
    let known = 0;
    let whole = 0;
    for (const [at, node] of nodes.entries()) {
      const candidates = this.#candidates(node);
      if (candidates.length === 0) continue;
      known += 1;
      if (at === 0 || this.#isWhole(node, this.#block)) whole += 1;
      if (counted.has(node.head)) continue;
      counted.add(node.head);
      const score = this.#isWhole(node, this.#block) ? 2 : 1;
      const seen = new Set<Item[]>();
      for (const each of candidates) {
        const { list } = each;
        const candidate = found.get(list) ?? { list, score: 0, first: each, last: each };
        if (!seen.has(list)) candidate.score += score;
        seen.add(list);
        if (each.lead < candidate.first.lead) candidate.first = each;
        if (each.end > candidate.last.end) candidate.last = each;
        found.set(list, candidate);
      }
    }
    // A line that is everywhere does not make a place of it.
    if (whole === 0 && known * 3 < nodes.length) return undefined;
    let best = 0;
    for (const { score } of found.values()) best = Math.max(best, score);
    const like = [...found.values()].filter(({ score }) => score === best);
    return this.#choose(
      like,
      ({ first }) => first.lead,
      ({ last }) => last.end,
    )?.list;
  }

  /** The one that has clearly more of the block's lines; else that around the cursor, or the nearest. */
  #choose<Place>(
    places: readonly Place[],
    start: (place: Place) => number,
    end: (place: Place) => number,
  ): Place | undefined {
    const shared = (place: Place): number => this.#known(start(place), end(place));
    const most = places.reduce((sum, place) => Math.max(sum, shared(place)), 0);
    const like = places.filter((place) => shared(place) * 2 >= 2 * most - this.#wordLines);
    const around = like.filter((place) => start(place) <= this.#cursor && this.#cursor < end(place));
    const left = around.length > 0 ? around : like.filter((place) => shared(place) === most);
    const distance = (place: Place): number =>
      Math.max(start(place) - this.#cursor, this.#cursor - end(place) + 1, 0);
    let nearest: Place | undefined;
    for (const place of left) {
      if (nearest === undefined || distance(place) < distance(nearest)) nearest = place;
    }
    return nearest;
  }

  #known(start: number, end: number): number {
    return (this.#knownUpTo[end] ?? 0) - (this.#knownUpTo[start] ?? 0);
  }

  /** Finds the nodes of one list in another one, in order where a line is there more than once. */
  #match(list: readonly Item[], items: readonly Item[]): Map<LineNode, LineNode> {
    const matches = new Map<LineNode, LineNode>();
    const nodes = nodesOf(items);
    const heads = new Map<string, LineNode[]>();
    const names = new Map<string, LineNode[]>();
    for (const node of nodesOf(list)) {
      add(heads, node.head, node);
      const name = this.#definition(node, this.#file)?.name;
      if (name !== undefined) add(names, name, node);
    }
    const like = (node: LineNode): readonly LineNode[] => {
      const same = hasWord(node.head) ? heads.get(node.head) : undefined;
      return same ?? this.#named(node, names);
    };
    const take = (node: LineNode, file: LineNode | undefined): void => {
      if (file === undefined || this.#used.has(file)) return;
      matches.set(node, file);
      this.#used.add(file);
    };
    // Exact lines first: a name may be that of several functions.
    for (const isExact of [true, false]) {
      for (const node of nodes) {
        const candidates = matches.has(node) ? [] : like(node);
        if (candidates.length === 1 && (!isExact || candidates[0]?.head === node.head))
          take(node, candidates[0]);
      }
    }
    const afterEach = this.#nextMatches(nodes, matches);
    let before = -1;
    for (const [at, node] of nodes.entries()) {
      if (!matches.has(node)) take(node, this.#inOrder(like(node), before, afterEach[at]));
      before = matches.get(node)?.index ?? before;
    }
    return matches;
  }

  /** For each node the index of the next one's match. */
  #nextMatches(
    nodes: readonly LineNode[],
    matches: ReadonlyMap<LineNode, LineNode>,
  ): readonly (number | undefined)[] {
    const next: (number | undefined)[] = [];
    let after: number | undefined;
    for (let at = nodes.length - 1; at >= 0; at -= 1) {
      next[at] = after;
      const node = nodes[at];
      after = (node && matches.get(node)?.index) ?? after;
    }
    return next;
  }

  /** Of like nodes in order the one that fits between two places, each of which may be unknown. */
  #inOrder(candidates: readonly LineNode[], before: number, after: number | undefined): LineNode | undefined {
    const isFree = (node: LineNode | undefined): boolean => node !== undefined && !this.#used.has(node);
    if (before >= 0) {
      let at = firstBehind(candidates, before);
      while (candidates[at] !== undefined && !isFree(candidates[at])) at += 1;
      const found = candidates[at];
      if (found !== undefined && found.index < (after ?? Infinity)) return found;
    } else if (after !== undefined) {
      let at = firstBehind(candidates, after - 1) - 1;
      while (candidates[at] !== undefined && !isFree(candidates[at])) at -= 1;
      if (candidates[at] !== undefined) return candidates[at];
    }
    if (candidates.length > mostChosenFrom && (before >= 0 || after !== undefined)) return undefined;
    return this.#choose(
      candidates.filter(isFree),
      ({ lead }) => lead,
      ({ end }) => end,
    );
  }

  /** Functions of the block that the file has in other lists go there. Where they stood may be more. */
  #placeElsewhere(
    list: readonly Item[],
    items: readonly Item[],
    matches: ReadonlyMap<LineNode, LineNode>,
  ): readonly Item[] {
    return items.map((item): Item => {
      if (!isNode(item) || matches.has(item) || item.hasMarks) return item;
      const isNamed = this.#isWhole(item, this.#block) || importLine.test(item.head);
      const others = isNamed
        ? this.#candidates(item).filter((each) => each.list !== list && !this.#used.has(each))
        : [];
      const file = this.#choose(
        others,
        ({ lead }) => lead,
        ({ end }) => end,
      );
      if (file === undefined) return item;
      this.#used.add(file);
      this.#replace(item, file, this.#fileIndent(file), this.#blockIndent([item]));
      return { kind: "mark", line: item.start, mark: "mark", indent: item.indent };
    });
  }

  /** False where that cannot be done for certain. */
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
      if (
        !this.#fill(joined, left, fresh, right) ||
        !this.#joinNode(item, file, joined, !isNode(items[at + 1]))
      )
        return false;
      [left, fresh] = [right, []];
    }
    const end: Stop = joined.edges === undefined ? { kind: "mark" } : { kind: "edge" };
    if (joined.isClosed && left.kind === "node") return this.#fillToEnd(joined, left.file, left.node, fresh);
    return this.#fill(joined, left, fresh, end);
  }

  /** What stands between two places of a list that both texts have, or up to one. */
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
    // A function that the block does not show stays, and so do the comments between functions.
    const areComments = between.every(({ start }) => isComment(this.#file.lines[start] ?? ""));
    if (areComments && fresh.length === 0) return true;
    const stays =
      (areComments && between.length > 0) ||
      between.some((node) => this.#used.has(node) || this.#isWhole(node, this.#file));
    if (left.file.index < right.file.index && !stays) {
      this.#edit(joined, left.file.end, right.file.lead, left.node.end, right.node.lead);
      return true;
    }
    const last = fresh.at(-1);
    if (last !== undefined) this.#edit(joined, left.file.end, left.file.end, left.node.end, last.end);
    return true;
  }

  /** New code that no line of the file stands beside. */
  #fillOpen(joined: Joined, left: Stop, fresh: readonly LineNode[], right: Stop): boolean {
    const { list, edges } = joined;
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (first === undefined || last === undefined) return true;
    const nodes = nodesOf(list);
    const areWhole = fresh.every((node) => this.#isWhole(node, this.#block));
    if (list === this.#file.root && fresh.every(({ head }) => importLine.test(head))) {
      const at = placeOfImports(list);
      this.#edit(joined, at, at, first.lead, last.end);
      return true;
    }
    if (left.kind === "edge" && edges !== undefined) {
      const [next] = nodes;
      const isLike = next !== undefined && this.#isLike(first, next);
      if (isLike) this.#edit(joined, next.lead, next.end, first.lead, last.end);
      else this.#edit(joined, edges.start, edges.start, first.lead, last.end, { below: areWhole });
      return true;
    }
    const end = nodes.at(-1);
    if (right.kind === "edge" && edges !== undefined) {
      if (end !== undefined && this.#isLike(last, end)) {
        this.#edit(joined, end.lead, end.end, first.lead, last.end);
        return true;
      }
      if (end !== undefined && jump.test(end.head) && !areWhole) return false;
      const at = end?.end ?? edges.end;
      const above = this.#file.lines[at - 1] ?? "";
      if (end !== undefined && this.#needsComma(nodes, first)) {
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

  /** Whether a list's last entry has no comma, and needs one for another entry behind it. */
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

  /** Up to the end of the list, which the block shows. */
  #fillToEnd(joined: Joined, file: LineNode, node: LineNode, fresh: readonly LineNode[]): boolean {
    const left = nodesOf(joined.list.slice(file.index + 1));
    const stays = left.some((each) => this.#used.has(each) || this.#isWhole(each, this.#file));
    const last = fresh.at(-1);
    const end = stays ? file.end : (left.at(-1)?.end ?? file.end);
    if (last !== undefined || end > file.end)
      this.#edit(joined, file.end, end, node.end, last?.end ?? node.end);
    return true;
  }

  #isLike(node: LineNode, file: LineNode): boolean {
    if (this.#used.has(file) || this.#isWhole(file, this.#file) !== this.#isWhole(node, this.#block))
      return false;
    const [ours, theirs] = [wordsOf(node.head.replace(waits, "")), wordsOf(file.head.replace(waits, ""))];
    if (ours.length === 0 || ours[0] !== theirs[0]) return false;
    const shared = new Set(theirs);
    return ours.filter((word) => shared.has(word)).length * 4 >= ours.length + theirs.length;
  }

  /** @param isLast whether the block shows nothing behind it, and so no comma that sets it apart from that */
  #joinNode(node: LineNode, file: LineNode, { from }: Joined, isLast: boolean): boolean {
    const to = this.#fileIndent(file);
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
      this.#put(their, their + 1, our, our + 1, from, to);
      const list = file.parts[at] ?? [];
      if (!part.some((item) => !isNode(item) || item.hasMarks)) {
        this.#put(their + 1, theirNext, our + 1, ourNext, from, to);
        continue;
      }
      const [first] = nodesOf(list);
      const inner: Joined = {
        list,
        items: part,
        matches: this.#match(list, part),
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
    const comma = isLast && /,\s*$/.test(this.#file.lines[file.end - 1] ?? "") ? "," : "";
    this.#put(start, file.end, node.lead, node.end, from, to, { comma });
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
    // New functions are set apart from their neighbours.
    if (above && isCode(lines[0] ?? "") && isCode(this.#file.lines[start - 1] ?? "")) lines.unshift("");
    if (below && isCode(lines.at(-1) ?? "") && isCode(this.#file.lines[end] ?? "")) lines.push("");
    this.#edits.push({ start, end, lines });
  }

  #fileIndent(node: LineNode): string {
    return indentOf(this.#file.lines[node.start] ?? "");
  }

  #blockIndent(items: readonly Item[], otherwise = ""): string {
    const [first] = nodesOf(items);
    return first === undefined ? otherwise : indentOf(this.#block.lines[first.start] ?? "");
  }

  /** Undefined where two pieces stand for the same lines. */
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

/** Of nodes in the order of one list the place of the first behind an index. */
function firstBehind(nodes: readonly LineNode[], index: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.index ?? 0) > index) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A body of three dots alone, which is code where there is nothing that they could stand for. */
export function isStub(node: LineNode): boolean {
  const areCode = node.joints.length === 0 && node.head.endsWith(":");
  return node.parts.every((part) =>
    part.every((item) =>
      isNode(item) ? !item.hasMarks || isStub(item) : areCode && item.mark === "dots" && part.length === 1,
    ),
  );
}

/** What stands in brackets around all of a block, as of a JSON file. Brackets alone are found nowhere. */
function unwrap(root: Item[]): Item[] {
  const [only, ...others] = nodesOf(root);
  const [inner, ...further] = only?.parts ?? [];
  if (only === undefined || others.length > 0 || inner === undefined) return root;
  const isWrapped = only.hasMarks && !hasWord(only.head) && further.every((part) => part.length === 0);
  return isWrapped ? unwrap(inner) : root;
}

/** The brackets around all of a file. */
function wrapperOf(root: readonly Item[]): LineNode | undefined {
  const [only, ...others] = nodesOf(root);
  return others.length === 0 && only !== undefined && /^[{[(]/.test(only.head) ? only : undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Lines that may begin what has one of the names, so that not each is read. */
function nameLines(names: ReadonlySet<string>): RegExp {
  const parts = new Set([...names].map((name) => name.match(/[\p{L}\p{N}_$]+/gu)?.at(-1) ?? name));
  const pattern = [...parts].map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join("|");
  if (parts.size === 0) return /(?!)/;
  return pattern.length > longestPattern || parts.has("") ? /^/ : new RegExp(pattern, "u");
}
