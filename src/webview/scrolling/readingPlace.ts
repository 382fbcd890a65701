import { watchLeaving, type ReadingPlace } from "../context/host.ts";

/** Minimum time in ms between two reports while the user scrolls. */
const pause = 200;

/** The parts of a turn's text. The size of a part out of sight is a guess of the browser. */
const parts = ".markdown-section, .code-part";

/**
 * Calls `notify` when the transcript was scrolled, at the latest before the page may close. Returns a stop function.
 */
export function followReading(log: HTMLElement, notify: () => void): () => void {
  let timer: number | undefined;
  const end = (): void => {
    window.clearTimeout(timer);
    timer = undefined;
  };
  const notifyNow = (): void => {
    if (timer === undefined) return;
    end();
    notify();
  };
  const onScroll = (): void => {
    timer ??= window.setTimeout(notifyNow, pause);
  };
  log.addEventListener("scroll", onScroll, { passive: true });
  const unwatch = watchLeaving(notifyNow);
  return () => {
    log.removeEventListener("scroll", onScroll);
    unwatch();
    end();
  };
}

/** The turn and part at the top of the transcript; undefined if no turn is in view. */
export function readingPlaceIn(log: HTMLElement): ReadingPlace | undefined {
  const { top } = log.getBoundingClientRect();
  // Skip groups out of sight: asking for the position of a turn would force the layout of its group.
  for (const group of log.querySelectorAll(".turn-group")) {
    if (endsAbove(group, top)) continue;
    const turn = Array.from(group.children).find((each) => !endsAbove(each, top));
    const turnId = turn?.getAttribute("data-turn") ?? undefined;
    if (turn !== undefined && turnId !== undefined) return { turnId, ...placeIn(turn, top) };
  }
  return undefined;
}

/** The innermost part that crosses the top edge, or else the turn itself. */
function placeIn(turn: Element, top: number): Pick<ReadingPlace, "part" | "offset"> {
  const all = [...turn.querySelectorAll(parts)];
  const index = all.findLastIndex(
    (part) =>
      part.checkVisibility({ contentVisibilityAuto: true }) &&
      !endsAbove(part, top) &&
      offsetOf(part, top) <= 0,
  );
  const part = all[index];
  return part === undefined ? { offset: offsetOf(turn, top) } : { part: index, offset: offsetOf(part, top) };
}

function endsAbove(element: Element, top: number): boolean {
  return element.getBoundingClientRect().bottom <= top;
}

function offsetOf(element: Element, top: number): number {
  return element.getBoundingClientRect().top - top;
}

/**
 * Returns a function that finds the part, or its turn until the part is drawn. Caches both while they are on the page.
 */
export function findReading(log: HTMLElement, { turnId, part }: ReadingPlace): () => HTMLElement | null {
  let turn: HTMLElement | null = null;
  let found: HTMLElement | undefined;
  return () => {
    if (found?.isConnected === true) return found;
    if (turn?.isConnected !== true) turn = findTurn(log, turnId);
    found = part === undefined || turn === null ? undefined : findPart(turn, part);
    return found ?? turn;
  };
}

/** Undefined while more parts may come before it: steps that are not on the page yet, or a text that is not drawn. */
function findPart(turn: HTMLElement, part: number): HTMLElement | undefined {
  const found = turn.querySelectorAll<HTMLElement>(parts)[part];
  if (found === undefined || turn.querySelector("[data-partial]") !== null) return undefined;
  const undrawn = turn.querySelector(".markdown[aria-busy]");
  if (undrawn === null || undrawn.contains(found)) return found;
  const isBehind = (undrawn.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return isBehind ? undefined : found;
}

/** The article of a turn; null while it is not on the page. */
function findTurn(log: HTMLElement, turnId: string): HTMLElement | null {
  return log.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turnId)}"]`);
}

/**
 * Returns a function that finds a turn's article; null while it is not on the page. Old turns are rendered later.
 * Focuses the article once. `data-found` shows the focus ring even for mouse users, until the focus moves on.
 */
export function seekTurn(log: HTMLElement, turnId: string): () => HTMLElement | null {
  let isFocused = false;
  return () => {
    const article = findTurn(log, turnId);
    if (article !== null && !isFocused) {
      isFocused = true;
      focusFound(article);
    }
    return article;
  };
}

function focusFound(article: HTMLElement): void {
  article.dataset["found"] = "";
  article.addEventListener("blur", () => delete article.dataset["found"], { once: true });
  article.focus({ preventScroll: true });
}
