import type { Attachment } from "../../chat/transcript/attachments.ts";
import {
  messageTraits,
  type ChatHeader,
  type FromWebview,
  type PanelSnapshot,
  type ToWebview,
} from "../../chat/page/protocol.ts";
import {
  eventTraits,
  type AnswerTurn,
  emptyTranscript,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
  type Turn,
  visibleTurns,
} from "../../chat/transcript/transcript.ts";
import { createTranslate, type Translate } from "../../text/translate.ts";
import type { Announcer } from "../announcements/announcer.ts";
import { changesText } from "../announcements/callTexts.ts";
import { AnswerViews } from "./answerViews.ts";
import { type Host, watchLeaving, watchTyping, type ReadingPlace } from "../context/host.ts";
import { CodeBlocks } from "../code/codeBlocks.ts";
import { FileMentions } from "../markdown/fileMentions.ts";
import { DrawnFormulas } from "../markdown/drawnFormulas.ts";
import { MarkdownView } from "../markdown/markdownView.ts";
import { createSanitizer, type Sanitize } from "../markdown/sanitizer.ts";
import { TypedTexts } from "./typedTexts.ts";
import type { OffersListener, PageActions } from "../context/pageContext.ts";

/** The state of the last render. Text of the streaming answer may be newer, because it goes directly to its view. */
export interface PageState {
  readonly chatId: string;
  readonly transcript: Transcript;
  /** The turns of the branch on the screen. */
  readonly turns: readonly Turn[];
  readonly header: ChatHeader;
  /** The draft in the last snapshot. */
  readonly draft: string;
  /** Attachments of the next question. */
  readonly attachments: readonly Attachment[];
  /** Files sent as system text with the next question. */
  readonly instructions: readonly Attachment[];
  /** The question whose editor opens again because its edit was not sent. A new object each time. */
  readonly reopened?: { readonly turnId: string };
  /** The saved reading place of the first chat; absent if it was the end. */
  readonly place?: ReadingPlace;
  /** The turn to scroll into view. A new object each time. */
  readonly soughtTurn?: { readonly turnId: string };
  readonly translate: Translate;
}

/** Drawing time per frame in ms. The rest of the frame is for the browser's layout and paint. */
const drawingTime = 5;

interface PageListener {
  /** The page must render again. Not called for streamed text. */
  readonly changed: (state: PageState) => void;
  readonly focusComposer: () => void;
  /** Puts an unsent text back into the composer. */
  readonly restoreDraft: (text: string) => void;
}

/** Holds the page's state. Applies the host's messages once per frame; streamed text goes only to its view. */
export class PageModel implements PageActions {
  readonly #host: Host;
  readonly #announcer: Announcer;
  readonly #listener: PageListener;
  readonly views = new AnswerViews(
    () => new MarkdownView(this.#sanitize, this.#blocks),
    () => this.#scheduleFrame(),
  );
  #translate = createTranslate();
  #blocks = this.#createBlocks();
  readonly #files = new FileMentions((names) => this.post({ type: "find-files", names }));
  #formulas = this.#createFormulas();
  #sanitize = this.#createSanitizer();
  #state: PageState | undefined;
  #transcript: Transcript = emptyTranscript;
  #messages: ToWebview[] = [];
  #isFrameScheduled = false;
  /** Actions that run after the next render. */
  readonly #afterwards: (() => void)[] = [];
  readonly #typed = new TypedTexts((message) => this.post(message));
  /** The element that gets the focus back after a message that opened a dialog or list of VS Code. */
  #pressed: Element | null = null;
  #onOffers: OffersListener | undefined;
  /** IDs of answers that ended while the page showed their chat. */
  readonly #ended = new Set<string>();

  constructor(host: Host, announcer: Announcer, listener: PageListener) {
    this.#host = host;
    this.#announcer = announcer;
    this.#listener = listener;
  }

  start(): void {
    this.#host.listen((message) => {
      this.#messages.push(message);
      // Apply the first state at once: the page is empty until then.
      if (this.#state === undefined) this.#applyMessages();
      this.#scheduleFrame();
    });
    watchLeaving(() => this.#typed.handOver());
    this.post({ type: "ready" });
    const postFocus = (): void => this.post({ type: "focused" });
    window.addEventListener("focus", postFocus);
    window.addEventListener("blur", () => this.post({ type: "blurred" }));
    if (document.hasFocus()) postFocus();
    watchTyping((isTyping) => this.post({ type: "typing", isTyping }));
  }

  /** True while an answer streams, even before it is on the screen. */
  get arrives(): boolean {
    return this.#transcript.arriving !== null;
  }

  /** Whether the streaming answer sends a message with its next request. */
  get takesMessages(): boolean {
    return this.#transcript.arriving?.mode !== undefined;
  }

  get codeBlocks(): CodeBlocks {
    return this.#blocks;
  }

  post(message: FromWebview): void {
    if (messageTraits[message.type].returnsFocus) this.#pressed = document.activeElement;
    this.postHere(message);
  }

  /** A function that posts to the chat that is on the screen now, whenever it is called. */
  get postHere(): (message: FromWebview) => void {
    const chatId = this.#state?.chatId ?? null;
    return (message) => this.#host.post({ chatId, message });
  }

  /** Sets the only listener for offers. Returns a function that removes it. */
  listenToOffers(listener: OffersListener): () => void {
    this.#onOffers = listener;
    return () => {
      if (this.#onOffers === listener) this.#onOffers = undefined;
    };
  }

  announce(message: string): void {
    this.#announcer.say(message);
  }

  /** True if this answer ended while the page showed it; only the first call returns true. */
  consumeNews(turnId: string): boolean {
    return this.#ended.delete(turnId);
  }

  /** Saves the reading place for when the page is shown again; undefined means the end. */
  savePlace(place: ReadingPlace | undefined): void {
    const kept = this.#host.savedState;
    if (kept === undefined || (kept.place === undefined && place === undefined)) return;
    this.#host.saveState({ chatId: kept.chatId, ...(place === undefined ? {} : { place }) });
  }

  /** The unsent edit of this question; undefined if there is none. */
  editOf(turnId: string): string | undefined {
    return this.#typed.editOf(turnId);
  }

  /** Saves a draft: of the composer, or of an edit of the question `turnId`. */
  saveDraft(draft: string, turnId?: string): void {
    const chatId = this.#state?.chatId;
    if (chatId !== undefined) this.#typed.save(chatId, draft, turnId);
  }

  /** Sends a question. The host stores the text as a draft until the question is in the chat. */
  send(text: string): void {
    this.#typed.handOver();
    this.post({ type: "send", text });
  }

  /** Sends an edited question. The host stores the text until the question is replaced. */
  sendEdit(turnId: string, text: string): void {
    this.#typed.handOver();
    this.#typed.forgetEdit(turnId);
    this.post({ type: "edit", turnId, text });
  }

  #scheduleFrame(): void {
    if (this.#isFrameScheduled) return;
    this.#isFrameScheduled = true;
    window.requestAnimationFrame(() => {
      this.#isFrameScheduled = false;
      if (!this.#drawFrame(performance.now() + drawingTime)) this.#scheduleFrame();
    });
  }

  /** Draws until the deadline (a time of `performance.now()`). Returns true when nothing is left to draw. */
  #drawFrame(deadline: number): boolean {
    this.#applyMessages();
    const isDrawn = this.views.draw(deadline) && this.#formulas.draw(deadline) && this.#blocks.draw(deadline);
    this.#files.requestMarked();
    return isDrawn;
  }

  #applyMessages(): void {
    const before = this.#state;
    for (const message of this.#messages.splice(0)) {
      this.#applyMessage(message);
    }
    this.#show(before);
    for (const act of this.#afterwards.splice(0)) act();
  }

  #show(before: PageState | undefined): void {
    const state = this.#state;
    if (state === undefined || (state === before && looksSame(state.transcript, this.#transcript))) {
      return;
    }
    const turns = visibleTurns(this.#transcript);
    this.views.show(turns);
    this.#state = { ...state, transcript: this.#transcript, turns };
    this.#listener.changed(this.#state);
  }

  #applyMessage(message: ToWebview): void {
    switch (message.type) {
      case "snapshot":
        this.#applySnapshot(message.snapshot);
        return;
      case "header":
        this.#state &&= { ...this.#state, header: message.header };
        return;
      case "attachments":
        this.#applyAttachments(message.attachments);
        return;
      case "instructions":
        this.#state &&= { ...this.#state, instructions: message.instructions };
        return;
      case "context-offers":
        this.#onOffers?.(message);
        return;
      case "voice":
        this.#announcer.ownsLiveRegion = message.speaks;
        return;
      case "focus-composer":
        this.#afterwards.push(() => this.#listener.focusComposer());
        return;
      case "show-turn":
        this.#state &&= { ...this.#state, soughtTurn: { turnId: message.turnId } };
        return;
      case "focus-page":
        this.#afterwards.push(() => this.#focusBack());
        return;
      case "restore-draft":
        this.#afterwards.push(() => this.#listener.restoreDraft(message.text));
        return;
      case "restore-edit":
        this.#restoreEdit(message.turnId, message.text);
        return;
      case "files-found":
        this.#files.found(message.names);
        return;
      case "code-colors":
        this.#blocks.applyColors(message.colors);
        return;
      case "transcript-events":
        message.events.forEach((event) => this.#applyEvent(event));
        return;
      default:
        message satisfies never;
    }
  }

  #createBlocks(): CodeBlocks {
    return new CodeBlocks(
      this.#translate,
      () => this.#scheduleFrame(),
      () => this.post({ type: "follow-code-colors" }),
    );
  }

  #createFormulas(): DrawnFormulas {
    return new DrawnFormulas(this.#translate, () => this.#scheduleFrame());
  }

  #createSanitizer(): Sanitize {
    return createSanitizer(this.#translate, this.#blocks, this.#files, this.#formulas);
  }

  /** Appends the text to the text typed since, as the composer does. */
  #restoreEdit(turnId: string, text: string): void {
    const typed = this.#typed.editOf(turnId) ?? "";
    if (!typed.endsWith(text)) this.saveDraft(typed === "" ? text : `${typed}\n\n${text}`, turnId);
    this.#state &&= { ...this.#state, reopened: { turnId } };
  }

  #focusBack(): void {
    if (this.#pressed instanceof HTMLElement) this.#pressed.focus();
    this.#pressed = null;
  }

  #applySnapshot({
    chatId,
    transcript,
    header,
    draft,
    attachments,
    edits,
    translations,
  }: PanelSnapshot): void {
    const isFirst = this.#state === undefined;
    if (isFirst) {
      this.#translate = createTranslate(translations);
      this.#blocks = this.#createBlocks();
      this.#formulas = this.#createFormulas();
      this.#sanitize = this.#createSanitizer();
      // A view opened by a click on its tab already has the focus.
      if (document.hasFocus()) this.#afterwards.push(() => this.#listener.focusComposer());
    }
    const { savedState } = this.#host;
    if (chatId !== this.#state?.chatId) {
      // This state belongs to the previous chat.
      this.#typed.handOver();
      this.#announcer.forget();
      this.#files.forget();
      this.#ended.clear();
    }
    const isKept = savedState?.chatId === chatId;
    if (!isKept) this.#host.saveState({ chatId });
    this.#announcer.follow(transcript.arriving?.text ?? "");
    this.views.replace(transcript);
    this.#transcript = transcript;
    // For the same chat the page's own state is newer than the snapshot.
    const same = this.#state?.chatId === chatId ? this.#state : undefined;
    if (same === undefined) this.#typed.loadEdits(edits);
    this.#state = {
      draft,
      instructions: [],
      ...same,
      chatId,
      transcript,
      turns: [],
      header,
      attachments,
      translate: this.#translate,
      ...(isFirst && isKept && savedState.place !== undefined ? { place: savedState.place } : {}),
    };
  }

  #applyAttachments(attachments: readonly Attachment[]): void {
    if (this.#state === undefined) return;
    const before = new Set(this.#state.attachments.map(({ id }) => id));
    const added = attachments.filter(({ id }) => !before.has(id)).map(({ name }) => name);
    if (added.length > 0) this.announce(this.#translate("Attached '{0}'", added.join(", ")));
    this.#state = { ...this.#state, attachments };
  }

  #applyEvent(event: TranscriptEvent): void {
    if (event.type === "call-output") {
      this.views.showOutput(event.output);
      return;
    }
    const { arriving } = this.#transcript;
    this.#transcript = reduceTranscript(this.#transcript, event);
    if (event.type === "changes-settled") this.announce(changesText(event.state, this.#translate));
    // The workspace may have more files by now.
    if (eventTraits[event.type].moment === "question") this.#files.requestAgain();
    if (arriving === null) {
      const resumed = this.#transcript.arriving;
      if (event.type === "answer-resumed" && resumed !== null) this.views.resume(resumed);
      return;
    }
    this.#updateViews(event, arriving);
    this.#announcer.sayEvent(event, arriving, this.#translate);
  }

  #updateViews(event: TranscriptEvent, arriving: AnswerTurn): void {
    if (event.type === "text-delta") this.views.append(arriving, "text", event.text);
    else if (event.type === "reasoning-delta") this.views.append(arriving, "reasoning", event.text);
    else if (event.type === "step-ended") this.views.endPart(arriving);
    else if (event.type === "call-started") this.views.showOutput("");
    else if (event.type === "answer-ended") {
      this.#ended.add(arriving.id);
      this.views.end({ ...arriving, state: event.state });
    }
  }
}

/** True if the two transcripts differ only in streamed text and in details shown after the end. */
function looksSame(shown: Transcript, next: Transcript): boolean {
  if (shown.turns !== next.turns || shown.leafId !== next.leafId) return false;
  const [before, after] = [shown.arriving, next.arriving];
  if (before === null || after === null) return before === after;
  const seen = new Map(seenOf(after));
  const seenBefore = seenOf(before);
  return seenBefore.length === seen.size && seenBefore.every(([name, value]) => seen.get(name) === value);
}

/** The properties of a streaming answer that need a new render when they change. */
function seenOf(answer: AnswerTurn): readonly (readonly [string, unknown])[] {
  const { text: _text, reasoning, usage: _usage, requestId: _requestId, ...seen } = answer;
  const reasons = reasoning.length > (answer.steps?.at(-1)?.reasoningEnd ?? 0);
  return Object.entries({ ...seen, reasons });
}
