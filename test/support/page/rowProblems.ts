import type { FrameLocator } from "playwright-core";

/**
 * Runs in the page. Finds parts of the composer's rows that leave the row, overlap, are on another line, wrap or are
 * cut.
 */
const findProblems = `() => {
  const problems = [];
  for (const row of document.querySelectorAll(".composer-row, .composer-below")) {
    const bounds = row.getBoundingClientRect();
    const name = (part) => JSON.stringify(part.getAttribute("aria-label") ?? part.textContent);
    let end = -Infinity;
    for (const part of row.children) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      if (left < bounds.left - 0.5 || right > bounds.right + 0.5) problems.push(name(part) + " stands out of its row");
      if (left < end - 0.5) problems.push(name(part) + " stands over the one before it");
      end = right;
      const middle = (top + bottom) / 2;
      if (Math.abs(middle - (bounds.top + bounds.bottom) / 2) > 4) problems.push(name(part) + " is in another line");
      const label = document.createRange();
      label.selectNodeContents(part);
      const lines = [...label.getClientRects()].filter(({ height }) => height > 0);
      if (lines.some((line) => line.top > (lines[0]?.bottom ?? 0) - 1)) problems.push(name(part) + " wraps");
      const text = part.querySelector(".choice-text");
      if (text !== null && text.clientWidth < 24 && text.scrollWidth > text.clientWidth) problems.push(name(part) + " cannot be read");
    }
  }
  return problems;
}`;

/** Layout problems in the rows below the composer's text box, from left to right. */
export function rowProblems(frame: FrameLocator): Promise<string[]> {
  return frame.locator("html").evaluate<string[], unknown>(`(${findProblems})()`);
}
