import type { Definition } from "../../text/definitionNames.ts";
import {
  definitionOf,
  hasWord,
  type Item,
  type LineNode,
  type LineTree,
  nodesOf,
  walkNodes,
} from "../../text/lineTree.ts";

interface Candidate {
  readonly list: Item[];
  score: number;
  /** First and last node found in the list. */
  first: LineNode;
  last: LineNode;
}

const maxPatternLength = 20_000;
/** Maximum number of equal candidates. A larger number does not identify a place. */
const maxChosenFrom = 100;

/** Finds the nodes of a file that match the pieces of a block: first by line, then by name. */
export class PieceSearch {
  /** Nodes of the file that already have a match in the block. */
  readonly used = new Set<LineNode>();
  readonly #file: LineTree;
  readonly #block: LineTree;
  readonly #cursor: number;
  readonly #byHead = new Map<string, LineNode[]>();
  readonly #byName = new Map<string, LineNode[]>();
  readonly #names = new Map<LineNode, Definition | undefined>();
  /** For each line of the file: how many earlier lines, or their keys, also occur in the block. */
  readonly #knownUpTo: readonly number[];
  readonly #wordLines: number;

  constructor(file: LineTree, block: LineTree, cursor: number) {
    this.#file = file;
    this.#block = block;
    this.#cursor = cursor;
    const known = new Set(block.lines.filter(hasWord).flatMap(knownBy));
    this.#wordLines = block.lines.filter(hasWord).length;
    const sums = [0];
    for (const line of file.lines)
      sums.push((sums.at(-1) ?? 0) + Number(knownBy(line).some((each) => known.has(each))));
    this.#knownUpTo = sums;
    this.#indexFile();
  }

  #indexFile(): void {
    const heads = new Set<string>();
    const wanted = new Set<string>();
    for (const node of walkNodes(this.#block.root)) {
      if (hasWord(node.head)) heads.add(node.head);
      const name = this.definition(node, this.#block)?.name;
      if (name !== undefined) wanted.add(name);
    }
    const pattern = nameLines(wanted);
    for (const node of walkNodes(this.#file.root)) {
      if (heads.has(node.head)) add(this.#byHead, node.head, node);
      if (!pattern.test(this.#file.lines[node.start] ?? "")) continue;
      const name = this.definition(node, this.#file)?.name;
      if (name !== undefined && wanted.has(name)) add(this.#byName, name, node);
    }
  }

  definition(node: LineNode, tree: LineTree): Definition | undefined {
    if (!this.#names.has(node)) this.#names.set(node, definitionOf(node, tree));
    return this.#names.get(node);
  }

  isWhole(node: LineNode, tree: LineTree): boolean {
    return this.definition(node, tree)?.isWhole === true;
  }

  /** Returns possible matches for a node of the block, anywhere in the file. */
  candidates(node: LineNode): readonly LineNode[] {
    const same = this.#byHead.get(node.head) ?? [];
    if (same.length > 0) return same;
    return this.#named(node, this.#byName);
  }

  /** Returns nodes with the same name. Ignores a name that several plain lines share, such as an element's name. */
  #named(node: LineNode, byName: ReadonlyMap<string, readonly LineNode[]>): readonly LineNode[] {
    const definition = this.definition(node, this.#block);
    const named = (definition && byName.get(definition.name)) ?? [];
    return named.length > 1 && definition?.isWhole !== true ? [] : named;
  }

  /**
   * Chooses the list of the file that shares most with the block. Shared lines, then the cursor, break a tie. Returns
   * undefined if too few nodes have a match.
   */
  chooseList(root: readonly Item[]): Item[] | undefined {
    const nodes = nodesOf(root);
    const found = new Map<Item[], Candidate>();
    const counted = new Set<string>();
    let known = 0;
    let whole = 0;
    for (const [at, node] of nodes.entries()) {
      const candidates = this.candidates(node);
      if (candidates.length === 0) continue;
      known += 1;
      if (at === 0 || this.isWhole(node, this.#block)) whole += 1;
      if (counted.has(node.head)) continue;
      counted.add(node.head);
      const score = this.isWhole(node, this.#block) ? 2 : 1;
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
    // A few matches may be lines that occur everywhere, which do not identify a place.
    if (whole === 0 && known * 3 < nodes.length) return undefined;
    let best = 0;
    for (const { score } of found.values()) best = Math.max(best, score);
    const like = [...found.values()].filter(({ score }) => score === best);
    return this.choose(
      like,
      ({ first }) => first.lead,
      ({ last }) => last.end,
    )?.list;
  }

  /** Chooses the place with clearly more lines of the block, or else the place around or nearest to the cursor. */
  choose<Place>(
    places: readonly Place[],
    start: (place: Place) => number,
    end: (place: Place) => number,
  ): Place | undefined {
    const shared = (place: Place): number => this.#known(start(place), end(place));
    const maxSharedLines = places.reduce((sum, place) => Math.max(sum, shared(place)), 0);
    const like = places.filter((place) => shared(place) * 2 >= 2 * maxSharedLines - this.#wordLines);
    const around = like.filter((place) => start(place) <= this.#cursor && this.#cursor < end(place));
    const left = around.length > 0 ? around : like.filter((place) => shared(place) === maxSharedLines);
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

  /** Matches the nodes of `items` with those of `list`. Repeated lines match in order. */
  match(list: readonly Item[], items: readonly Item[]): Map<LineNode, LineNode> {
    const matches = new Map<LineNode, LineNode>();
    const nodes = nodesOf(items);
    const heads = new Map<string, LineNode[]>();
    const names = new Map<string, LineNode[]>();
    for (const node of nodesOf(list)) {
      add(heads, node.head, node);
      const name = this.definition(node, this.#file)?.name;
      if (name !== undefined) add(names, name, node);
    }
    const like = (node: LineNode): readonly LineNode[] => {
      const same = hasWord(node.head) || /^[)\]}]/.test(node.head) ? heads.get(node.head) : undefined;
      return same ?? this.#named(node, names);
    };
    const take = (node: LineNode, file: LineNode | undefined): void => {
      if (file === undefined || this.used.has(file)) return;
      matches.set(node, file);
      this.used.add(file);
    };
    // Exact lines first: several functions may have the same name.
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

  /** Returns for each node the index of the match of the next node that has one, or undefined. */
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

  /** Chooses a candidate, preferably between two indexes. `before` is -1 and `after` is undefined if unknown. */
  #inOrder(candidates: readonly LineNode[], before: number, after: number | undefined): LineNode | undefined {
    const isFree = (node: LineNode | undefined): boolean => node !== undefined && !this.used.has(node);
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
    if (candidates.length > maxChosenFrom && (before >= 0 || after !== undefined)) return undefined;
    return this.choose(
      candidates.filter(isFree),
      ({ lead }) => lead,
      ({ end }) => end,
    );
  }
}

/** Returns the line, and the key if the line sets one. */
function knownBy(line: string): readonly string[] {
  const key = /^\s*([\w."'-]+)\s*[:=](?=\s)/.exec(line)?.[1];
  return key === undefined ? [line.trim()] : [line.trim(), `${key}:`];
}

/** Returns the position of the first node after an index. */
function firstBehind(nodes: readonly LineNode[], index: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.index ?? 0) > index) high = middle;
    else low = middle + 1;
  }
  return low;
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Matches lines that may define one of the names, so that fewer lines must be parsed. */
function nameLines(names: ReadonlySet<string>): RegExp {
  const parts = new Set([...names].map((name) => name.match(/[\p{L}\p{N}_$]+/gu)?.at(-1) ?? name));
  const pattern = [...parts].map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join("|");
  if (parts.size === 0) return /(?!)/;
  return pattern.length > maxPatternLength || parts.has("") ? /^/ : new RegExp(pattern, "u");
}
