import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { versionsOf } from "../chat/transcript.ts";
import { AnswerArticle } from "./answerArticle.tsx";
import { moveAmongButtons } from "./codeButtons.ts";
import { pressCodeButton } from "./codeActions.ts";
import { fileOf } from "./fileMentions.ts";
import { Icon } from "./icons.tsx";
import { type PageServices, usePage } from "./pageContext.ts";
import type { PageState } from "./pageModel.ts";
import { QuestionArticle } from "./questionArticle.tsx";
import { readLink } from "./sanitizer.ts";
import { StickyScroll } from "./stickyScroll.ts";
import { navigateTurns } from "./turnNavigation.ts";
import { Welcome } from "./welcome.tsx";

/** Turns that come onto the page in one frame, the newest first: a long chat does not hold it up. */
const turnsPerFrame = 30;

/** The transcript: a log that reads nothing out by itself, since it changes with every token. */
export function Conversation({ state }: { readonly state: PageState }): VNode {
  const page = usePage();
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const scroll = useRef<StickyScroll>(undefined);
  const [atEnd, setAtEnd] = useState(true);
  useEffect(() => {
    if (log.current === null || content.current === null) return undefined;
    scroll.current = new StickyScroll(log.current, setAtEnd);
    return scroll.current.follow(content.current);
  }, []);
  useEffect(
    () =>
      log.current === null
        ? undefined
        : navigateTurns(log.current, { leave: page.focusComposer, mayLeave: () => !page.model.arrives }),
    [page],
  );
  const lastQuestion = state.turns.findLast(({ kind }) => kind === "question")?.id;
  useEffect(() => scroll.current?.toEnd(), [lastQuestion]);
  const onClick = (event: MouseEvent): void => takeClick(event, page);
  return (
    <div class="conversation">
      <div
        ref={log}
        class="log"
        role="log"
        aria-label={page.t("Conversation")}
        aria-live="off"
        tabIndex={0}
        onClick={onClick}
        onAuxClick={onClick}
        onKeyDown={(event) => {
          if (moveAmongButtons(event)) event.preventDefault();
        }}
      >
        <div ref={content} class="turns">
          {state.turns.length === 0 ? <Welcome header={state.header} /> : <Turns state={state} />}
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="jump" onClick={() => scroll.current?.toEnd()}>
          <Icon name="down" />
          {page.t("Jump to latest")}
        </button>
      )}
    </div>
  );
}

function Turns({ state }: { readonly state: PageState }): VNode {
  const locked = state.transcript.arriving !== null;
  const missing = useMissingTurns(state.turns.length);
  return (
    <>
      {state.turns.slice(missing).map((turn) => {
        // Versions of a turn share their place, so that focus stays with it.
        const key = `${turn.kind} ${turn.parentId ?? ""}`;
        const versions = versionsOf(state.transcript, turn.id);
        return turn.kind === "question" ? (
          <QuestionArticle
            key={key}
            turn={turn}
            versions={versions}
            locked={locked}
            charactersPerToken={state.header.room.charactersPerToken}
          />
        ) : (
          <AnswerArticle
            key={key}
            turn={turn}
            versions={versions}
            locked={locked}
            last={turn === state.turns.at(-1)}
          />
        );
      })}
    </>
  );
}

/** How many of the oldest turns are not on the page yet. */
function useMissingTurns(count: number): number {
  const [missing, setMissing] = useState(Math.max(0, count - turnsPerFrame));
  useEffect(() => {
    if (missing === 0) return undefined;
    const frame = window.requestAnimationFrame(() => setMissing(Math.max(0, missing - turnsPerFrame)));
    return () => window.cancelAnimationFrame(frame);
  }, [missing]);
  return missing;
}

/** Clicks on what the answers hold: links go to the host, never anywhere by themselves. */
function takeClick(event: MouseEvent, page: PageServices): void {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest("a");
  if (link) {
    event.preventDefault();
    // The editor's own listener would open it a second time.
    event.stopPropagation();
    const name = fileOf(link);
    const href = name === undefined ? readLink(link.href) : undefined;
    if (name !== undefined) page.model.post({ type: "open-file", name });
    else if (href !== undefined) page.model.post({ type: "open-link", href });
  } else if (event.type === "click") {
    pressCodeButton(target, page);
  }
}
