import type { DiagnosisActionId } from "../../connection/diagnosis/diagnosis.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { Attachment } from "../transcript/attachments.ts";
import type { CodeColors } from "./codeColors.ts";
import type { ModelLimits } from "../session/contextWindow.ts";
import type { Transcript, TranscriptEvent } from "../transcript/transcript.ts";
import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";

/** Characters of a text that is sent: far above what anyone types, far below what would hurt to hold. */
export const maxTextLength = 4 * 1024 * 1024;

/** What the chat page shows above the composer. Never a key, a header or an address with credentials. */
export interface ChatHeader {
  /** Null while no connection is bound to the workspace. */
  readonly connection: string | null;
  /** Whether there are connections to choose from. */
  readonly choosable: boolean;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  /** The host that everything goes to without encryption, where that is so. */
  readonly unencryptedHost?: string;
  readonly room: ModelLimits;
  /** The workspace is not trusted, so that its prompts and instructions are not read. */
  readonly restricted?: true;
}

/** The page's first state, and its state after anything but an appended event. */
export interface PanelSnapshot {
  readonly chatId: string;
  /** Attachments of the page's transcript are without their contents. */
  readonly transcript: Transcript;
  readonly header: ChatHeader;
  readonly draft: string;
  /** Texts that are to take the place of questions and were not sent, by the question's turn. */
  readonly edits: Readonly<Record<string, string>>;
  /** What goes along with the next question, without contents. */
  readonly attachments: readonly Attachment[];
  /** English text to the user's language; empty for English. */
  readonly translations: Readonly<Record<string, string>>;
}

export type ToWebview =
  | { readonly type: "snapshot"; readonly snapshot: PanelSnapshot }
  | { readonly type: "transcript-events"; readonly events: readonly TranscriptEvent[] }
  | { readonly type: "header"; readonly header: ChatHeader }
  | { readonly type: "attachments"; readonly attachments: readonly Attachment[] }
  /** What the next question is sent with as system text, without contents. */
  | { readonly type: "instructions"; readonly instructions: readonly Attachment[] }
  | {
      readonly type: "context-offers";
      readonly searchId: number;
      readonly offers: readonly ContextOffer[];
      /** More of them will come to the same search. */
      readonly isPartial?: boolean;
      /** Says what is not offered, and why. */
      readonly note?: string;
    }
  /** Whether what arrives is read out here: several chats would talk at the same time. */
  | { readonly type: "voice"; readonly speaks: boolean }
  | { readonly type: "focus-composer" }
  /** Brings a turn of the branch on the screen into view, and puts the focus on it. */
  | { readonly type: "show-turn"; readonly turnId: string }
  /** Back to where the focus was in the page, before the editor asked something. */
  | { readonly type: "focus-page" }
  /** A text that could not be sent comes back; it joins what was typed since. */
  | { readonly type: "restore-draft"; readonly text: string }
  /** The same of what was to take this question's place. */
  | { readonly type: "restore-edit"; readonly turnId: string; readonly text: string }
  /** Of the names asked about, those that the workspace has a file for. */
  | { readonly type: "files-found"; readonly names: readonly string[] }
  /** What the editor's theme gives to code; what is missing has the page's own colours. */
  | { readonly type: "code-colors"; readonly colors: CodeColors };

export type FromWebview =
  /** Asks for the snapshot; nothing is posted before. */
  | { readonly type: "ready" }
  /** The page has the focus now. */
  | { readonly type: "focused" }
  /** It has it no more. */
  | { readonly type: "blurred" }
  | { readonly type: "send"; readonly text: string }
  | { readonly type: "stop" }
  /** Asks for what comes after an answer that its limit has cut. */
  | { readonly type: "continue" }
  /** Makes the next try at once, in place of waiting for it. */
  | { readonly type: "retry-now" }
  /** Takes the notice of a silence away. */
  | { readonly type: "keep-waiting" }
  /** A further answer to the question that this answer answers; one that still arrives is stopped. */
  | { readonly type: "retry"; readonly turnId: string }
  /** The same by another model or client style, which the host asks for. */
  | { readonly type: "retry-with"; readonly turnId: string }
  /** A further question in the place of this one. */
  | { readonly type: "edit"; readonly turnId: string; readonly text: string }
  | { readonly type: "select-version"; readonly turnId: string }
  /** Whether later questions send this one, which got no answer. */
  | { readonly type: "include"; readonly turnId: string; readonly included: boolean }
  /** Shows the setting that cuts answers. */
  | { readonly type: "open-limit" }
  | { readonly type: "new-chat" }
  /** With a turn, what is to take that question's place; empty where nothing is. */
  | {
      readonly type: "draft";
      readonly chatId: string;
      readonly turnId?: string;
      readonly text: string;
    }
  | { readonly type: "choose"; readonly what: "connection" | "model" | "client-style" }
  | { readonly type: "context"; readonly request: ContextRequest }
  | { readonly type: "prompt"; readonly request: PromptRequest }
  | { readonly type: "copy"; readonly text: string }
  /** Without a turn where no failure offered it, as in an empty chat. */
  | { readonly type: "action"; readonly action: DiagnosisActionId; readonly turnId?: string }
  | { readonly type: "open-link"; readonly href: string }
  /** Which of these names, such as `src/a.ts:10`, are files of the workspace. */
  | { readonly type: "find-files"; readonly names: readonly string[] }
  | { readonly type: "open-file"; readonly name: string }
  /** There is code to colour: asks for the theme's colours, now and when they change. */
  | { readonly type: "follow-code-colors" }
  | { readonly type: "code-action"; readonly action: CodeActionId; readonly block: CodeBlockText }
  /** Applies an answer's code for several files. */
  | { readonly type: "apply-answer"; readonly turnId: string };

/**
 * What becomes of a message whose chat is on the screen no more: it means no chat and is done, it is dropped, its text
 * comes back, or it is done to its own chat.
 */
export type OutdatedTreatment = "done" | "dropped" | "restored" | "own-chat";

interface MessageTraits {
  readonly whenOutdated: OutdatedTreatment | "by-request";
  /** Whether a person does it, or the page of its own accord. */
  readonly by: "person" | "page";
  /** Whether the host asks something in the editor, and the focus comes back to what was pressed. */
  readonly returnsFocus: boolean;
}

const done = { whenOutdated: "done", by: "person", returnsFocus: false } as const;
const doneByPage = { ...done, by: "page" } as const;
const dropped = { ...done, whenOutdated: "dropped" } as const;
const restored = { ...done, whenOutdated: "restored" } as const;

/** What host and page ask about a message before they know what to do with it. */
export const messageTraits = {
  ready: doneByPage,
  focused: done,
  blurred: doneByPage,
  send: restored,
  stop: dropped,
  continue: dropped,
  "retry-now": dropped,
  "keep-waiting": dropped,
  retry: dropped,
  "retry-with": { ...dropped, returnsFocus: true },
  edit: restored,
  "select-version": dropped,
  include: dropped,
  "open-limit": done,
  "new-chat": dropped,
  draft: done,
  choose: done,
  context: { ...done, whenOutdated: "by-request" },
  prompt: dropped,
  copy: done,
  action: dropped,
  "open-link": done,
  "find-files": doneByPage,
  "open-file": done,
  "follow-code-colors": doneByPage,
  "code-action": { ...done, returnsFocus: true },
  "apply-answer": dropped,
} as const satisfies Record<FromWebview["type"], MessageTraits>;

/** What the page posts: its message, and the chat that was on the screen; null before there was one. */
export interface PageMessage {
  readonly chatId: string | null;
  readonly message: FromWebview;
}

/** What can be done with a code block, beside copying it. */
export type CodeActionId = "insert" | "apply" | "save" | "run";

/** Something that can be attached, as the page lists it behind `#`. */
export interface ContextOffer {
  /** Handed back to attach it. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
}

/** What is asked of the host about attachments. */
export type ContextRequest =
  /** Asks what to attach in the editor's own list. */
  | { readonly type: "choose" }
  /** Attaches an offer. */
  | { readonly type: "attach"; readonly offerId: string }
  /**
   * Asks for offers, and for none of the search before; answered by `context-offers`, again where more is
   * known or the files have changed.
   */
  | { readonly type: "find"; readonly searchId: number; readonly typed: string }
  /** The list was closed: what was asked for is not needed any more. */
  | { readonly type: "stop-finding" }
  /** Dropped files and folders of the editor. */
  | { readonly type: "attach-uris"; readonly uris: readonly string[] }
  /** Dropped or pasted files of the system; `data` is base64. */
  | { readonly type: "attach-data"; readonly name: string; readonly mediaType: string; readonly data: string }
  /** A dropped or pasted file that is too large to be handed over or, without its size, could not be read. */
  | { readonly type: "refuse-data"; readonly name: string; readonly bytes?: number }
  /** So many that were dropped or pasted are more than one question takes. */
  | { readonly type: "refuse-rest"; readonly count: number }
  | { readonly type: "attach-text"; readonly text: string }
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "trim"; readonly id: string }
  /** With a turn, an attachment of that question; else one of the composer. */
  | { readonly type: "open"; readonly id: string; readonly turnId?: string };

interface RequestTraits {
  readonly whenOutdated: OutdatedTreatment;
  /** Whether the editor asks what is meant, in a list of its own. */
  readonly opensDialog: boolean;
}

/** What is attached or taken off belongs to the chat that it was dropped or pressed in. */
const ofOwnChat = { whenOutdated: "own-chat", opensDialog: false } as const;
/** What is offered is the same for all chats. */
const ofAllChats = { whenOutdated: "done", opensDialog: false } as const;

export const contextRequestTraits: Readonly<Record<ContextRequest["type"], RequestTraits>> = {
  choose: { whenOutdated: "dropped", opensDialog: true },
  attach: { whenOutdated: "own-chat", opensDialog: true },
  find: ofAllChats,
  "stop-finding": ofAllChats,
  "attach-uris": ofOwnChat,
  "attach-data": ofOwnChat,
  "refuse-data": ofOwnChat,
  "refuse-rest": ofOwnChat,
  "attach-text": ofOwnChat,
  remove: ofOwnChat,
  trim: ofOwnChat,
  open: ofOwnChat,
};

/** An attachment above so many estimated tokens is offered trimmed to as many. */
export const trimmedTokens = 4000;
/** A pasted text from here on is offered as an attachment. */
export const longPaste = 4000;

/** What is asked of the host about prompts, which are typed behind a `/`. */
export type PromptRequest =
  /** Asks for offers; answered by `context-offers`. */
  | { readonly type: "find"; readonly searchId: number; readonly typed: string }
  /** Attaches what the prompt is about, so that it is seen before it is sent. */
  | { readonly type: "choose"; readonly name: string };
