/** Names of the elements that models put their reasoning into. */
const names =
  "think|thinking|thoughts?|thought_process|thinking_process|reasoning|reflection|scratchpad|analysis|inner_monologue|details";

/** How reasoning begins, and how it then ends. */
const blocks: readonly { readonly begin: RegExp; readonly end: (found: string) => RegExp }[] = [
  { begin: /^(Thinking)(?:\.{3}|…)[ \t]*\n/, end: () => /^(?:\.{3}|…)done thinking\.?[ \t]*$/m },
  {
    begin: new RegExp(`^<((?:[a-z]+:)?(?:${names}))(?:\\s[^>\\n]*)?>`, "i"),
    end: (name) => new RegExp(`</${name}\\s*>`, "i"),
  },
  { begin: /^\[(THINK|THINKING|REASONING)\]/i, end: (name) => new RegExp(`\\[/${name}\\]`, "i") },
  { begin: /^◁(think)▷/, end: () => /◁\/think▷/ },
  {
    begin: /^<\|(?:begin_of_)?(thought|think|thinking)\|>/,
    end: () => /<\|(?:end_of_|\/)(?:thought|think|thinking)\|>/,
  },
  {
    begin: /^(?:<\|start\|>assistant)?<\|channel\|>(analysis|commentary)/,
    end: () => /<\|channel\|>final(?:[^<\n]*)<\|message\|>/,
  },
  { begin: /^[`~]{3,}(think|thinking|thoughts?|reasoning)[ \t]*\n/i, end: () => /\n[`~]{3,}[ \t]*(?:\n|$)/ },
];

/** The end of reasoning that began before the answer did, at the beginning of a line. */
const lateEnd = /^[ \t]*(?:<\/(think|thinking|thoughts?|reasoning)>|\[\/THINK\]|◁\/think▷)/gim;

/** Marks the message itself, beside reasoning. */
const finalMark =
  /^(?:<\|start\|>assistant)?<\|channel\|>final(?:[^<\n]*)<\|message\|>|^<\|begin_of_solution\|>/;

/**
 * An answer without the reasoning that it begins with; empty if that has no end.
 * @param isWhole false while it arrives, so that no part of a mark is given
 */
export function withoutReasoning(answer: string, isWhole: boolean): string {
  let text = afterLateEnd(answer).replace(/^[\s\uFEFF\u200B]+/, "");
  for (;;) {
    const rest = withoutBlock(text, isWhole).replace(finalMark, "").trimStart();
    if (rest === text) break;
    text = rest;
  }
  return !isWhole && isPartOfMark(text) ? "" : text;
}

function afterLateEnd(text: string): string {
  const last = [...text.matchAll(lateEnd)].at(-1);
  if (last === undefined || /<(?:think|thought|reasoning)|\[THINK|◁think/i.test(text.slice(0, last.index)))
    return text;
  return text.slice(last.index + last[0].length);
}

function withoutBlock(text: string, isWhole: boolean): string {
  for (const { begin, end } of blocks) {
    const [head, name] = begin.exec(text) ?? [];
    if (head === undefined || name === undefined) continue;
    const rest = text.slice(head.length);
    const found = end(name).exec(rest);
    if (found !== null) return rest.slice(found.index + found[0].length).trimStart();
    // A message may begin with the name of an element that others use as well.
    return isWhole && /^<(?:details|analysis|reflection)\b/i.test(head) ? text : "";
  }
  return text;
}

function isPartOfMark(text: string): boolean {
  return (
    "Thinking...".startsWith(text) ||
    /^(?:<[|/]?[\w:|]{0,30}|\[\/?[a-z]{0,9}|◁[/a-z]{0,6}|<\|[a-z_]*\|>[\w<|]*)$/i.test(text)
  );
}
