import type { RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { moveAmongButtons, pressCodeButton } from "../code/codeHeader.ts";
import { fileOf } from "../markdown/fileMentions.ts";
import { Icon } from "../controls/icons.tsx";
import { type PageServices, usePage } from "../context/pageContext.ts";
import type { PageState } from "../model/pageModel.ts";
import { findReading, followReading, readingPlaceIn, seekTurn } from "../scrolling/readingPlace.ts";
import { parseLink } from "../markdown/sanitizer.ts";
import { useRestingButtons } from "../controls/buttons.tsx";
import { StickyScroll } from "../scrolling/stickyScroll.ts";
import { TurnArticles } from "./turnArticles.tsx";
import { navigateTurns } from "./turnNavigation.ts";
import type { ChatHeader } from "../../chat/page/protocol.ts";

/** The transcript. A log with `aria-live` off, because it changes with every token. */
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
  // Search all branches: selecting another version of a turn does not ask a question.
  const lastQuestion = state.transcript.turns.findLast(({ kind }) => kind === "question")?.id;
  useEffect(() => scroll.current?.toEnd(), [lastQuestion]);
  useReadingPlace(log, scroll, state);
  // Run after the effect that scrolls to the end, because both effects run when a chat is first shown.
  const { soughtTurn } = state;
  useEffect(() => {
    if (log.current === null || soughtTurn === undefined) return;
    scroll.current?.stayAt(seekTurn(log.current, soughtTurn.turnId));
  }, [soughtTurn]);
  useRestingButtons(log, state.transcript.arriving !== null);
  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    if (target !== null && event.type === "click") pinPressed(target, scroll.current);
    onLogClick(event, target, page);
  };
  const jump = (): void => {
    scroll.current?.toEnd();
    // The button disappears when pressed.
    page.focusComposer();
  };
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
          {state.turns.length === 0 ? (
            <Welcome header={state.header} />
          ) : (
            <TurnArticles state={state} onMore={() => scroll.current?.seek()} />
          )}
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="jump" onClick={jump}>
          <Icon name="down" />
          {page.t("Scroll to Bottom")}
        </button>
      )}
    </div>
  );
}

/** Restores the reading place from before the page was hidden, and saves it from then on. */
function useReadingPlace(
  log: RefObject<HTMLElement | null>,
  scroll: RefObject<StickyScroll | undefined>,
  { place, turns }: PageState,
): void {
  const { model } = usePage();
  useEffect(() => {
    const shown = log.current;
    if (shown === null) return undefined;
    if (place !== undefined && turns.some(({ id }) => id === place.turnId)) {
      scroll.current?.stayAt(findReading(shown, place), place.offset);
    }
    return followReading(shown, () =>
      model.savePlace(scroll.current?.atEnd === false ? readingPlaceIn(shown) : undefined),
    );
  }, []);
}

/** Keeps the pressed element in place when a section opens below it or another version replaces its turn. */
function pinPressed(target: Element, scroll: StickyScroll | undefined): void {
  if (target.closest("summary") !== null) scroll?.letOpen();
  const versions = target.closest<HTMLElement>(".versions");
  const turn = versions?.closest("article");
  const leads = target.closest('button[aria-disabled="false"]') !== null;
  if (leads && versions && turn) scroll?.pin(turn, versions);
}

/** Handles clicks in answers. The host opens links; the page itself never does. */
function onLogClick(event: MouseEvent, target: Element | null, page: PageServices): void {
  // The right button opens a menu.
  if (event.button > 1) return;
  const link = target?.closest("a");
  if (link) {
    event.preventDefault();
    // VS Code's own listener would open the link a second time.
    event.stopPropagation();
    const name = fileOf(link);
    const href = name === undefined ? parseLink(link.href) : undefined;
    if (name !== undefined) page.model.post({ type: "open-file", name });
    else if (href !== undefined) page.model.post({ type: "open-link", href });
  } else if (event.type === "click") {
    pressCodeButton(target, page);
  }
}

/** The content of an empty chat: explains how to begin. */
function Welcome({ header }: { readonly header: ChatHeader }): VNode {
  const { t } = usePage();
  if (header.connection === null) return header.choosable ? <Unbound /> : <NoConnection />;
  return (
    <div class="welcome">
      <h2>{t("Ask {0}", header.model)}</h2>
      {header.isGone !== true && (
        <p class="quiet">{t("This chat uses the connection '{0}'.", header.connection)}</p>
      )}
      <p class="quiet">{t("Press Enter to send, Shift+Enter for a new line.")}</p>
      {header.restricted && (
        <p class="quiet">{t("Restricted Mode: this workspace's prompts and instructions are ignored.")}</p>
      )}
    </div>
  );
}

function NoConnection(): VNode {
  const { model, t } = usePage();
  const add = (): void => model.post({ type: "action", action: "add-connection" });
  return (
    <div class="welcome">
      <h2>{t("Welcome to Inference Chat")}</h2>
      <p>{t("To get started, add a connection: your service's base URL and your API key.")}</p>
      <p class="quiet">{t("Your API key is kept in the secret storage and sent only to that service.")}</p>
      <button type="button" class="primary" onClick={add}>
        {t("Add Connection...")}
      </button>
    </div>
  );
}

function Unbound(): VNode {
  const { model, t } = usePage();
  const choose = (): void => model.post({ type: "choose", what: "connection" });
  return (
    <div class="welcome">
      <h2>{t("Which connection should this workspace use?")}</h2>
      <p>{t("Nothing is sent until you select a connection. Your choice is saved for this workspace.")}</p>
      <button type="button" class="primary" onClick={choose}>
        {t("Select Connection...")}
      </button>
    </div>
  );
}
