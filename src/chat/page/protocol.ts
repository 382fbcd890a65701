import type { DiagnosisActionId } from "../../connection/diagnosis/diagnosis.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { Attachment } from "../transcript/attachments.ts";
import type { CodeColors } from "./codeColors.ts";
import type { ModelLimits } from "../session/contextWindow.ts";
import type { ModeObstacle } from "../agent/modeObstacle.ts";
import type { CallReply, ChatMode } from "../transcript/steps.ts";
import type { Transcript, TranscriptEvent } from "../transcript/transcript.ts";
import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";

/** Maximum UTF-16 units of a question: far more than anyone types, and still cheap to hold in memory. */
export const maxTextLength = 4 * 1024 * 1024;

/** The data displayed above the composer. Contains no key, HTTP header or URL with credentials. */
export interface ChatHeader {
  /** Null if no connection is selected, for the chat or the workspace. */
  readonly connection: string | null;
  /** Set if the chat's connection no longer exists. Nothing is sent until the user selects another. */
  readonly isGone?: true;
  /** Whether the user can choose between connections. */
  readonly choosable: boolean;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  /** The effort of the next question, as a label. Absent if the model is not known to take one. */
  readonly effort?: string;
  /** The mode of the next question. */
  readonly mode: ChatMode;
  /** Why the mode cannot be used. A question is then sent only after the user agrees to Ask mode. */
  readonly obstacle?: ModeObstacle;
  /** The service's host, if requests to it are not encrypted. */
  readonly unencryptedHost?: string;
  readonly room: ModelLimits;
  /** Set if the workspace is not trusted. Its prompts and instructions are then not read. */
  readonly restricted?: true;
}

/** The page's initial state. Also sent after every change that is not an appended event. */
export interface PanelSnapshot {
  readonly chatId: string;
  /** Attachments in the transcript have no contents. */
  readonly transcript: Transcript;
  readonly header: ChatHeader;
  readonly draft: string;
  /** Unsent new texts for earlier questions, by turn ID. */
  readonly edits: Readonly<Record<string, string>>;
  /** Attachments of the next question, without contents. */
  readonly attachments: readonly Attachment[];
  /** Translations by English text. Empty for English. */
  readonly translations: Readonly<Record<string, string>>;
}

export type ToWebview =
  | { readonly type: "snapshot"; readonly snapshot: PanelSnapshot }
  | { readonly type: "transcript-events"; readonly events: readonly TranscriptEvent[] }
  | { readonly type: "header"; readonly header: ChatHeader }
  | { readonly type: "attachments"; readonly attachments: readonly Attachment[] }
  /** Instructions that the next question sends as system text, without contents. */
  | { readonly type: "instructions"; readonly instructions: readonly Attachment[] }
  | {
      readonly type: "context-offers";
      readonly searchId: number;
      readonly offers: readonly ContextOffer[];
      /** More offers for the same search will follow. */
      readonly isPartial?: boolean;
      /** Says what is not offered and why. */
      readonly note?: string;
    }
  /** Whether this page announces new text to screen readers. Only one of several visible pages does. */
  | { readonly type: "voice"; readonly speaks: boolean }
  | { readonly type: "focus-composer" }
  /** Scrolls to a turn of the displayed branch and focuses it. */
  | { readonly type: "show-turn"; readonly turnId: string }
  /** Restores the focus in the page after VS Code asked something. */
  | { readonly type: "focus-page" }
  /** Returns a text that could not be sent. The page adds it to the current draft. */
  | { readonly type: "restore-draft"; readonly text: string }
  /** Returns an edited question that could not be sent. */
  | { readonly type: "restore-edit"; readonly turnId: string; readonly text: string }
  /** The requested names that are files of the workspace. */
  | { readonly type: "files-found"; readonly names: readonly string[] }
  /** The theme's colors for code. The page uses its own colors for missing kinds. */
  | { readonly type: "code-colors"; readonly colors: CodeColors };

/** Selections that the composer shows and VS Code's lists change. */
export const choiceIds = ["connection", "model", "client-style", "mode", "effort"] as const;
export type ChoiceId = (typeof choiceIds)[number];

export type FromWebview =
  /** Requests the snapshot. Always the first message. */
  | { readonly type: "ready" }
  | { readonly type: "focused" }
  | { readonly type: "blurred" }
  /** Whether a text box of the page has the focus. */
  | { readonly type: "typing"; readonly isTyping: boolean }
  | { readonly type: "send"; readonly text: string }
  | { readonly type: "stop" }
  /** Replies to the card of a tool call, counted within the last step of the streaming answer. */
  | { readonly type: "reply-call"; readonly turnId: string; readonly call: number; readonly reply: CallReply }
  /** Lets a paused answer go on, or ends it. */
  | { readonly type: "reply-pause"; readonly turnId: string; readonly goesOn: boolean }
  /** Goes on with an answer that ended early, from its last finished step. */
  | { readonly type: "resume"; readonly turnId: string }
  /** Reviews, keeps or undoes what an answer has written. With a path, only that file is reviewed. */
  | {
      readonly type: "changes";
      readonly turnId: string;
      readonly action: ChangesActionId;
      readonly path?: string;
    }
  /** Continues an answer that was cut off at a token limit. */
  | { readonly type: "continue" }
  /** Starts the next retry immediately. */
  | { readonly type: "retry-now" }
  /** Dismisses the notice that the service is silent. */
  | { readonly type: "keep-waiting" }
  /** Requests another answer to the same question. Stops an answer that is still streaming. */
  | { readonly type: "retry"; readonly turnId: string }
  /** Requests another answer with another model or client style. The host asks for the choice. */
  | { readonly type: "retry-with"; readonly turnId: string }
  /** Asks another question instead of this one. */
  | { readonly type: "edit"; readonly turnId: string; readonly text: string }
  | { readonly type: "select-version"; readonly turnId: string }
  /** Whether later requests include this question, which has no answer. */
  | { readonly type: "include"; readonly turnId: string; readonly included: boolean }
  /** Opens the setting that limits the length of answers. */
  | { readonly type: "open-limit" }
  | { readonly type: "new-chat" }
  /** With a turn, the new text for that question; empty if there is none. */
  | {
      readonly type: "draft";
      readonly chatId: string;
      readonly turnId?: string;
      readonly text: string;
    }
  | { readonly type: "choose"; readonly what: ChoiceId }
  /** Removes what keeps the mode from being used, or selects Ask mode. */
  | { readonly type: "mend-mode"; readonly by: "removing" | "asking" }
  /** Opens Verify Compatibility with the test of PDF files, for the chat's model. */
  | { readonly type: "verify-pdf" }
  | { readonly type: "context"; readonly request: ContextRequest }
  | { readonly type: "prompt"; readonly request: PromptRequest }
  | { readonly type: "copy"; readonly text: string }
  /** Without a turn if no failure offered the action, as in an empty chat. */
  | { readonly type: "action"; readonly action: DiagnosisActionId; readonly turnId?: string }
  | { readonly type: "open-link"; readonly href: string }
  /** Asks which of these names, such as `src/a.ts:10`, are files of the workspace. */
  | { readonly type: "find-files"; readonly names: readonly string[] }
  | { readonly type: "open-file"; readonly name: string }
  /** Requests the theme's colors, now and after each change. Sent when the page first shows code. */
  | { readonly type: "follow-code-colors" }
  | { readonly type: "code-action"; readonly action: CodeActionId; readonly block: CodeBlockText }
  /** Applies the code of an answer to several files. */
  | { readonly type: "apply-answer"; readonly turnId: string };

/**
 * Treatment of a message if the page already shows another chat. `done`: handled as usual. `dropped`: ignored.
 * `restored`: the text returns to the draft. `own-chat`: handled for the message's own chat.
 */
export type OutdatedTreatment = "done" | "dropped" | "restored" | "own-chat";

interface MessageTraits {
  readonly whenOutdated: OutdatedTreatment | "by-request";
  /** Whether the user or the page itself caused the message. */
  readonly by: "person" | "page";
  /** Whether VS Code shows a dialog, and the focus returns to the pressed button. */
  readonly returnsFocus: boolean;
}

const done = { whenOutdated: "done", by: "person", returnsFocus: false } as const;
const doneByPage = { ...done, by: "page" } as const;
const dropped = { ...done, whenOutdated: "dropped" } as const;
const restored = { ...done, whenOutdated: "restored" } as const;

/** Properties of messages that the host and the page need before handling them. */
export const messageTraits = {
  ready: doneByPage,
  focused: done,
  blurred: doneByPage,
  typing: doneByPage,
  send: restored,
  stop: dropped,
  "reply-call": dropped,
  "reply-pause": dropped,
  resume: dropped,
  changes: { ...dropped, returnsFocus: true },
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
  "mend-mode": dropped,
  "verify-pdf": dropped,
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

/** A posted message, with the chat that the page showed; null before the first chat. */
export interface PageMessage {
  readonly chatId: string | null;
  readonly message: FromWebview;
}

/** Actions for the files that an answer has written. */
export const changesActionIds = ["review", "keep", "undo"] as const;
export type ChangesActionId = (typeof changesActionIds)[number];

/** Actions for a code block, besides copying. */
export type CodeActionId = "insert" | "apply" | "save" | "run";

/** An item of the list behind `#` that can be attached. */
export interface ContextOffer {
  /** Sent back to attach the item. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
}

/** Begins the ID of an offer that attaches the page at a URL, which follows. */
export const urlOffer = "url:";

/** Requests to the host about attachments. */
export type ContextRequest =
  /** Shows VS Code's list of things to attach. */
  | { readonly type: "choose" }
  | { readonly type: "attach"; readonly offerId: string }
  /**
   * Requests offers and cancels the previous search. Answered with `context-offers`, again if more offers are found
   * or files change.
   */
  | { readonly type: "find"; readonly searchId: number; readonly typed: string }
  /** The list was closed, so the search can stop. */
  | { readonly type: "stop-finding" }
  /** Files and folders dropped from VS Code. */
  | { readonly type: "attach-uris"; readonly uris: readonly string[] }
  /** A file dropped or pasted from the system; `data` is base64. */
  | { readonly type: "attach-data"; readonly name: string; readonly mediaType: string; readonly data: string }
  /** A dropped or pasted file that is too large to transfer, or unreadable if `bytes` is missing. */
  | { readonly type: "refuse-data"; readonly name: string; readonly bytes?: number }
  /** Number of dropped or pasted files above the maximum for one question. */
  | { readonly type: "refuse-rest"; readonly count: number }
  | { readonly type: "attach-text"; readonly text: string }
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "trim"; readonly id: string }
  /** With a turn, an attachment of that question; otherwise an attachment of the composer. */
  | { readonly type: "open"; readonly id: string; readonly turnId?: string };

interface RequestTraits {
  readonly whenOutdated: OutdatedTreatment;
  /** Whether VS Code may ask for a choice in its own list. */
  readonly opensDialog: boolean;
}

/** An attachment belongs to the chat in which the user dropped or clicked it. */
const ofOwnChat = { whenOutdated: "own-chat", opensDialog: false } as const;
/** Offers are the same for all chats. */
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

/** Estimated tokens. Larger attachments can be trimmed to this size. */
export const trimmedTokens = 4000;
/** UTF-16 units. A pasted text of this length or more can become an attachment. */
export const longPaste = 4000;

/** Requests to the host about prompts, which the user types after a `/`. */
export type PromptRequest =
  /** Requests offers. Answered with `context-offers`. */
  | { readonly type: "find"; readonly searchId: number; readonly typed: string }
  /** Attaches the prompt's subject, so that the user sees it before sending. */
  | { readonly type: "choose"; readonly name: string };
