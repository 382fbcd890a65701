import { type GlobPart, isNoSlash, isSlash, type Takes } from "./globAutomaton.ts";

const isAll: Takes = () => true;

export const slash: GlobPart = { kind: "one", takes: isSlash };
/** `?` */
export const oneOfName: GlobPart = { kind: "one", takes: isNoSlash };
/** `*` */
export const anyOfName: GlobPart = { kind: "any", takes: isNoSlash };
export const anything: GlobPart = { kind: "any", takes: isAll };

export function one(character: string): GlobPart {
  return { kind: "one", takes: takesOnly(character) };
}

/**
 * `[a-z]`, or `[!a-z]`, which is never a `/`.
 * @param members a character each, perhaps behind a backslash, where a hyphen makes no range
 */
export function oneOf(members: readonly string[], negated: boolean): GlobPart {
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    if (isRange) at += 2;
    ranges.push([from, Math.max(from, codeOf(members[at]))]);
  }
  const isIn: Takes = (code) => ranges.some(([from, to]) => code >= from && code <= to);
  return { kind: "one", takes: negated ? (code) => isNoSlash(code) && !isIn(code) : isIn };
}

function codeOf(member = ""): number {
  return member.codePointAt(member.length > 1 && member.startsWith("\\") ? 1 : 0) ?? 0;
}

function takesOnly(character: string): Takes {
  const only = character.codePointAt(0);
  return (code) => code === only;
}
