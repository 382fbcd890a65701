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
import { AnswerViews } from "./answerViews.ts";
import { type Host, watchLeaving, type ReadingPlace } from "../context/host.ts";
import { CodeBlocks } from "../code/codeBlocks.ts";
import { FileMentions } from "../markdown/fileMentions.ts";
import { MarkdownView } from "../markdown/markdownView.ts";
import { createSanitizer } from "../markdown/sanitizer.ts";
import { TypedTexts } from "./typedTexts.ts";
import type { OffersListener, PageActions } from "../context/pageContext.ts";

/** What the page shows, but for the text of the answers. */
export interface PageState {
  readonly chatId: string;
  readonly transcript: Transcript;
  /** The branch on the screen. */
  readonly turns: readonly Turn[];
  readonly header: ChatHeader;
  /** Of the last snapshot. */
  readonly draft: string;
  /** What goes along with the next question. */
  readonly attachments: readonly Attachment[];
  /** What the next question is sent with as system text. */
  readonly instructions: readonly Attachment[];
  /** The question whose editor is to open again, since what was typed there was not sent; another object each time. */
  readonly reopened?: { readonly turnId: string };
  /** Where one read in the chat that the page begins with; absent where that was its end. */
  readonly place?: ReadingPlace;
  /** The turn that is to come into view; another object each time. */
  readonly soughtTurn?: { readonly turnId: string };
  readonly translate: Translate;
}

/** Milliseconds of a frame in which the page may draw: the browser must lay out and paint what is drawn, too. */
const drawingTime = 5;

interface PageListener {
  /** The structure has changed; not called for arriving text. */
  readonly changed: (state: PageState) => void;
  readonly focusComposer: () => void;
  /** A text comes back that could not be sent. */
  readonly restoreDraft: (text: string) => void;
}

/**
 * Holds the page's state. What the host posts is taken up once per frame; text of the arriving answer
 * goes to its view and nowhere else.
 */
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
  #sanitize = createSanitizer(this.#translate, this.#blocks, this.#files);
  #state: PageState | undefined;
  #transcript: Transcript = emptyTranscript;
  #messages: ToWebview[] = [];
  #isFrameScheduled = false;
  /** To be done once the chat is on the screen whose composer is meant. */
  readonly #afterwards: (() => void)[] = [];
  readonly #typed = new TypedTexts((message) => this.post(message));
  /** What led to a question of the editor's, which takes the focus. */
  #pressed: Element | null = null;
  #onOffers: OffersListener | undefined;
  /** Answers of the chat on the screen that have ended there. */
  readonly #ended = new Set<string>();

  constructor(host: Host, announcer: Announcer, listener: PageListener) {
    this.#host = host;
    this.#announcer = announcer;
    this.#listener = listener;
  }

  start(): void {
    this.#host.listen((message) => {
      this.#messages.push(message);
      // The first state waits for no frame: until it comes the page is empty.
      if (this.#state === undefined) this.#applyMessages();
      this.#scheduleFrame();
    });
    watchLeaving(() => this.#typed.handOver());
    this.post({ type: "ready" });
    const postFocus = (): void => this.post({ type: "focused" });
    window.addEventListener("focus", postFocus);
    window.addEventListener("blur", () => this.post({ type: "blurred" }));
    if (document.hasFocus()) postFocus();
  }

  /** True while an answer arrives, also before that is on the screen. */
  get arrives(): boolean {
    return this.#transcript.arriving !== null;
  }

  get codeBlocks(): CodeBlocks {
    return this.#blocks;
  }

  post(message: FromWebview): void {
    if (messageTraits[message.type].returnsFocus) this.#pressed = document.activeElement;
    this.postHere(message);
  }

  /** Posts, whenever it is called, for the chat that is on the screen now. */
  get postHere(): (message: FromWebview) => void {
    const chatId = this.#state?.chatId ?? null;
    return (message) => this.#host.post({ chatId, message });
  }

  /** One listener at a time hears what is offered. */
  listenToOffers(listener: OffersListener): () => void {
    this.#onOffers = listener;
    return () => {
      if (this.#onOffers === listener) this.#onOffers = undefined;
    };
  }

  announce(message: string): void {
    this.#announcer.say(message);
  }

  /** Whether an answer has ended while the page showed it, and was not asked about since. */
  consumeNews(turnId: string): boolean {
    return this.#ended.delete(turnId);
  }

  /** Keeps where one reads, for when the page was hidden; undefined at the end. */
  savePlace(place: ReadingPlace | undefined): void {
    const kept = this.#host.savedState;
    if (kept === undefined || (kept.place === undefined && place === undefined)) return;
    this.#host.saveState({ chatId: kept.chatId, ...(place === undefined ? {} : { place }) });
  }

  /** What is to take this question's place and was not sent; undefined where nothing is. */
  editOf(turnId: string): string | undefined {
    return this.#typed.editOf(turnId);
  }

  /** Keeps what was typed; with a turn it is to take that question's place. */
  saveDraft(draft: string, turnId?: string): void {
    const chatId = this.#state?.chatId;
    if (chatId !== undefined) this.#typed.save(chatId, draft, turnId);
  }

  /** Sends the text off; the host keeps it as a draft until it is a question. */
  send(text: string): void {
    this.#typed.handOver();
    this.post({ type: "send", text });
  }

  /** Sends off what is to take this question's place; the host keeps it until it has. */
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

  /** Draws until the deadline (as `performance.now()` counts); true when nothing is left to draw. */
  #drawFrame(deadline: number): boolean {
    this.#applyMessages();
    const isDrawn = this.views.draw(deadline) && this.#blocks.draw(deadline);
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

  /** Behind what was typed since, as in the composer. */
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
      this.#sanitize = createSanitizer(this.#translate, this.#blocks, this.#files);
      // A view that was opened by its tab has the focus already.
      if (document.hasFocus()) this.#afterwards.push(() => this.#listener.focusComposer());
    }
    const { savedState } = this.#host;
    if (chatId !== this.#state?.chatId) {
      // All are of the chat before, which is left now.
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
    // What is typed, or under way, the page itself knows better.
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
    const { arriving } = this.#transcript;
    this.#transcript = reduceTranscript(this.#transcript, event);
    // What was asked for may be there by now.
    if (eventTraits[event.type].moment === "question") this.#files.requestAgain();
    if (arriving === null) {
      return;
    }
    this.#updateViews(event, arriving);
    this.#announcer.sayEvent(event, arriving, this.#translate);
  }

  /** Text of the arriving answer goes to its view and nowhere else. */
  #updateViews(event: TranscriptEvent, arriving: AnswerTurn): void {
    if (event.type === "text-delta") this.views.append(arriving, "text", event.text);
    else if (event.type === "reasoning-delta") this.views.append(arriving, "reasoning", event.text);
    else if (event.type === "answer-ended") {
      this.#ended.add(arriving.id);
      this.views.end({ ...arriving, state: event.state });
    }
  }
}

/** True where the two differ at most in the text of the arriving answer, and in what is not seen before its end. */
function looksSame(shown: Transcript, next: Transcript): boolean {
  if (shown.turns !== next.turns || shown.leafId !== next.leafId) return false;
  const [before, after] = [shown.arriving, next.arriving];
  if (before === null || after === null) return before === after;
  const seen = new Map(seenOf(after));
  const seenBefore = seenOf(before);
  return seenBefore.length === seen.size && seenBefore.every(([name, value]) => seen.get(name) === value);
}

/** The members of an arriving answer that make the page draw it anew. */
function seenOf(answer: AnswerTurn): readonly (readonly [string, unknown])[] {
  const { text: _text, reasoning, usage: _usage, requestId: _requestId, ...seen } = answer;
  return Object.entries({ ...seen, reasons: reasoning !== "" });
}
