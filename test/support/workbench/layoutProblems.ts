import type { FrameLocator } from "playwright-core";

/** Runs in the page: finds everything that is cut off, covered, out of reach or overlapping. */
const findProblems = `() => {
  const problems = [];
  const { clientWidth, clientHeight } = document.documentElement;
  const tell = (what, element) => {
    const name = element.tagName.toLowerCase() + (element.className && typeof element.className === "string" ? "." + element.className.replaceAll(" ", ".") : "");
    problems.push(what + ": " + name + " " + JSON.stringify((element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 60)));
  };
  const isHidden = (element) => element.closest(".visually-hidden, [aria-hidden='true'], thead") !== null && (element.closest("thead") === null || getComputedStyle(element.closest("thead")).clipPath !== "none") || !element.checkVisibility({ visibilityProperty: true });
  const scrollsByItself = (element) => element.parentElement?.closest("pre, .table-frame, .formula") !== null;

  // The page itself never scrolls sideways.
  for (const element of [document.documentElement, document.body, ...document.querySelectorAll(".log, .offers, .report, .composer, .attachments")]) {
    const isBox = element === document.documentElement || getComputedStyle(element).overflowX !== "visible";
    if (isBox && element.scrollWidth > element.clientWidth) tell("scrolls sideways by " + (element.scrollWidth - element.clientWidth), element);
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (isHidden(element) || element.closest("svg") !== null && element.tagName !== "svg") continue;
    const style = getComputedStyle(element);
    if (!scrollsByItself(element)) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -0.5 || right > clientWidth + 0.5)) tell("stands out of the page", element);
    }
    // Truncated text must be available in full elsewhere.
    const cuts = style.overflowX === "hidden" || style.overflowX === "clip";
    if (cuts && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
      const isTold = style.textOverflow === "ellipsis" && element.closest("[title], [aria-label]") !== null;
      if (!isTold) tell("is cut", element);
      else if (element.clientWidth < 24) tell("leaves nothing to be read", element);
    }
    const isCutBelow = style.overflowY === "hidden" && element.scrollHeight > element.clientHeight + 2 && element.clientHeight > 0;
    // The lines of letters in a formula are higher than the letters, and lie over each other.
    if (isCutBelow && element !== document.body && !element.matches(".formula")) tell("is cut below", element);
  }

  // Every control can be scrolled fully into view, with nothing above it.
  const overlay = document.querySelector(".offers");
  const controls = [...document.querySelectorAll("button, a[href], textarea, summary, [role='option']")].filter((each) => !isHidden(each));
  for (const control of controls) {
    if (overlay !== null && !overlay.contains(control)) continue;
    control.scrollIntoView({ block: "center", inline: "nearest" });
    const box = control.getClientRects()[0];
    if (box === undefined) continue;
    if (control.closest("pre, .table-frame") === null && (box.top < -0.5 || box.left < -0.5 || box.right > clientWidth + 0.5 || (box.bottom > clientHeight + 0.5 && box.height < clientHeight))) tell("cannot be seen whole", control);
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, clientHeight) / 2);
    const isJump = top?.closest(".jump") !== null && !control.matches(".jump");
    if (top !== null && !isJump && !control.contains(top)) tell("lies under " + top.className, control);
    const isInline = control.matches("a, .link-button") || style(control) === "inline";
    if (!isInline && (box.width < 16 || box.height < 16)) tell("is too small to be hit", control);
    if (control.matches("button")) {
      const label = document.createRange();
      label.selectNodeContents(control);
      const parts = [...label.getClientRects()].filter(({ width }) => width > 0);
      if (parts.some(({ top }) => top > parts[0].bottom - 1)) tell("wraps", control);
    }
  }
  function style(element) { return getComputedStyle(element).display; }

  // No line of text overlaps another.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || node.data.trim() === "" || isHidden(parent) || parent.closest(".jump, pre, math, script, style, textarea") !== null) continue;
    if (overlay !== null && !overlay.contains(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // Truncated text ends at its box.
    const box = parent.getBoundingClientRect();
    for (const { left, right, top, bottom } of range.getClientRects()) {
      lines.push({ left: Math.max(left, box.left), right: Math.min(right, box.right), top, bottom, parent, node });
    }
  }
  lines.sort((one, other) => one.top - other.top);
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (other.top > one.bottom - 3) break;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const within = one.node === other.node || one.parent.contains(other.parent) || other.parent.contains(one.parent);
      // Scrolled content may lie under fixed content.
      const apart = (one.parent.closest(".log, .composer") ?? 0) !== (other.parent.closest(".log, .composer") ?? 0) || [".attachments", ".work-line"].some((fixed) => one.parent.closest(fixed) !== other.parent.closest(fixed));
      if (!within && !apart && across > 2 && down > 4) tell("runs over " + JSON.stringify(other.node.data.slice(0, 30)), one.parent);
    }
  }
  return [...new Set(problems)];
}`;

/** Returns everything that is cut off, covered, out of reach or too wide in a page of the extension. */
export function layoutProblems(frame: FrameLocator): Promise<string[]> {
  return frame.locator("html").evaluate<string[], unknown>(`(${findProblems})()`);
}
