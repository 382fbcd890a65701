import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { FrameLocator } from "playwright-core";
import type { Ground } from "./themeLooks.ts";

/** Every rule of WCAG 2.2 A and AA, and best practices. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly summary: string }[];
}

/**
 * Rules to ignore for some elements. The list that `#` opens is scrolled by the arrow keys of the text box, which
 * keeps the focus (`aria-activedescendant`). The rule accepts such a list only for a combobox.
 */
const leftOut: readonly { readonly rule: string; readonly html: string }[] = [
  { rule: "scrollable-region-focusable", html: '<div class="offers"' },
];

/** Runs in the page, after the checker's own code. */
const runInPage = `async ({ ground, tags }) => {
  // The page is transparent; this is the color behind it.
  document.documentElement.style.backgroundColor = "var(" + ground + ")";
  try {
    const { violations } = await axe.run(document, {
      runOnly: { type: "tag", values: tags },
      rules: { "target-size": { enabled: true } },
      resultTypes: ["violations"],
    });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => ({ html: html.slice(0, 300), summary: failureSummary })),
    }));
  } finally {
    document.documentElement.style.backgroundColor = "";
  }
}`;

/** Returns the problems that axe-core finds in a page of the extension, on a background color of the theme. */
export async function accessibilityProblems(frame: FrameLocator, ground: Ground): Promise<string[]> {
  const checker = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  const violations = await frame
    .locator("html")
    .evaluate<readonly Violation[], unknown>(
      `globalThis.axe ?? (0, eval)(${JSON.stringify(checker)}), (${runInPage})(${JSON.stringify({ ground, tags })})`,
    );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => !leftOut.some((each) => each.rule === id && html.startsWith(each.html)))
      .map(({ html, summary }) => `${id}: ${help}\n  ${html}\n  ${summary.replaceAll("\n", "\n  ")}`),
  );
}
