import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { usePage } from "../context/pageContext.ts";

/** Lines of a block at most. The browser skips the layout of full blocks out of sight. */
const linesPerBlock = 100;

/** The element of a line, by its first character. All other lines are heads of hunks and notes. */
const lineElements = new Map<string, "ins" | "del" | "div">([
  ["+", "ins"],
  ["-", "del"],
  [" ", "div"],
]);

/** The whole of a unified diff. The first character of each line tells what happens to it. */
export function DiffView({ diff }: { readonly diff: string }): VNode {
  const { t } = usePage();
  const blocks = useMemo(() => drawBlocks(diff), [diff]);
  return (
    <pre class="card-code diff" dir="ltr" tabIndex={0} role="group" aria-label={t("Changes")}>
      {blocks}
    </pre>
  );
}

function drawBlocks(diff: string): readonly VNode[] {
  const blocks: { readonly sign: string; readonly lines: string[] }[] = [];
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const last = blocks.at(-1);
    const sign = line.slice(0, 1);
    if (last?.sign === sign && last.lines.length < linesPerBlock) last.lines.push(line);
    else blocks.push({ sign, lines: [line] });
  }
  return blocks.map(({ sign, lines }, index) => {
    const Block = lineElements.get(sign) ?? "i";
    return (
      <Block key={index} class={lines.length === linesPerBlock ? "diff-block" : undefined}>
        {lines.map((line, at) => (
          <span key={at}>{showInvisible(line)}</span>
        ))}
      </Block>
    );
  });
}
