import * as vscode from "vscode";
import { attachmentTraits, type Attachment, attachmentLimits } from "../../chat/transcript/attachments.ts";
import {
  type ContextOffer,
  type ContextRequest,
  type ToWebview,
  trimmedTokens,
  urlOffer,
} from "../../chat/page/protocol.ts";
import type { ModelLimits } from "../../chat/session/contextWindow.ts";
import { attachmentsOf, type Turn } from "../../chat/transcript/transcript.ts";
import { usualRatio } from "../../chat/session/tokenEstimate.ts";
import { type AttachmentTarget, RunningAttachments } from "./attachmentTarget.ts";
import { isPublicAddress } from "../../client/transport/websiteAddress.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import type { CleanText } from "../service/website.ts";
import { isWebUrl } from "../../text/webUrl.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { AttachmentOpener } from "./attachmentOpener.ts";
import { confirmImage, confirmSensitiveFiles } from "./consent.ts";
import { type ContextSource, contextSources } from "./contextSources.ts";
import { FileIndex } from "../files/fileIndex.ts";
import { attached, type Gathered, nothing, refused, showRefusals, tooMuchText } from "./gathered.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import { readDroppedUri, resolvePath, convertPathToLabel, isImageType } from "../files/workspacePaths.ts";
import { gatherUris } from "./uriContext.ts";
import { gatherSelection } from "./selectionContext.ts";
import { isSensitiveName } from "../../files/sensitiveName.ts";
import { isNotebookName } from "../../text/fileNames.ts";
import { readNotebookJson } from "../../text/notebookText.ts";
import { decodeFile } from "../shared/readTextFile.ts";
import {
  attachCells,
  fileAttachment,
  gatherPdf,
  languageOf,
  notTextReason,
  tooLargeText,
  unreadText,
} from "./fileContext.ts";
import { createImageAttachment, createTextAttachment } from "./textAttachment.ts";
import { WebsiteContext } from "./websiteContext.ts";

const maxOffers = 50;
const fileOffer = "file:";

/** The chat page that a context request came from. */
export interface ContextPage {
  answer(message: ToWebview): void;
  /** Puts text that could not be attached back into the composer. */
  restoreText(text: string): void;
}

interface Receiver {
  readonly connection: Connection;
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

interface ChatContextOptions {
  /** The receiver of the chat's next question. Undefined without a connection. */
  readonly receiverOf: (chat: AttachmentTarget) => Receiver | undefined;
  readonly limits: ModelLimitStore;
  readonly lastTextEditor: LastTextEditor;
  readonly clean: CleanText;
}

/** Attaches files, selections and other context to chats, at the request of chat pages and commands. */
export class ChatContext implements vscode.Disposable {
  readonly #options: ChatContextOptions;
  readonly #files = new FileIndex();
  /** The newest search of each chat. A new search aborts it. */
  readonly #searches = new WeakMap<AttachmentTarget, AbortController>();
  readonly #running = new RunningAttachments<AttachmentTarget>();
  readonly #websites: WebsiteContext;
  #opener: AttachmentOpener | undefined;

  constructor(options: ChatContextOptions) {
    this.#options = options;
    this.#websites = new WebsiteContext(options.clean, isPublicAddress);
  }

  async handle(request: ContextRequest, chat: AttachmentTarget, page: ContextPage): Promise<void> {
    switch (request.type) {
      case "choose":
        return this.#choose(chat);
      case "attach":
        return this.#running.follow(chat, this.#attachOffer(request.offerId, chat));
      case "find":
        return this.#find(request.searchId, request.typed, chat, page);
      case "stop-finding":
        this.#searches.get(chat)?.abort();
        return;
      case "attach-uris": {
        const uris = request.uris.flatMap((text) => readDroppedUri(text) ?? []);
        return this.attachUris(uris, chat);
      }
      case "attach-data":
      case "refuse-data":
      case "refuse-rest":
        return this.#running.follow(chat, this.#attachData(request, chat));
      case "attach-text":
        return this.#running.follow(chat, this.#attachText(request.text, chat, page));
      case "remove":
        chat.detach(request.id);
        return;
      case "trim":
        chat.trim(
          request.id,
          Math.floor(trimmedTokens * (this.#roomOf(chat)?.room ?? usualRatio).charactersPerToken),
        );
        return;
      case "open":
        return this.#open(request.id, request.turnId, chat);
      default:
        request satisfies never;
    }
  }

  /** Resolves when all pending attachments of the chat have settled. Users can press Enter before that. */
  settled(chat: AttachmentTarget): Promise<void> {
    return this.#running.settled(chat);
  }

  attachUris(uris: readonly vscode.Uri[], chat: AttachmentTarget): Promise<void> {
    return this.#running.follow(chat, this.#attachUris(uris, chat));
  }

  attachSelection(chat: AttachmentTarget): Promise<void> {
    return this.#running.follow(chat, this.#attachSelection(chat));
  }

  dispose(): void {
    this.#files.dispose();
    this.#opener?.dispose();
  }

  async #choose(chat: AttachmentTarget): Promise<void> {
    const chosen = await vscode.window.showQuickPick(contextSources(this.#options.lastTextEditor.notebook), {
      title: vscode.l10n.t("Attach Context"),
      placeHolder: vscode.l10n.t("What do you want to attach?"),
      matchOnDescription: true,
    });
    if (chosen !== undefined) await this.#running.follow(chat, this.#gatherFrom(chosen, chat));
  }

  async #attachUris(uris: readonly vscode.Uri[], chat: AttachmentTarget): Promise<void> {
    await this.attach(await gatherUris(uris), chat);
  }

  async #attachSelection(chat: AttachmentTarget): Promise<void> {
    await this.attach(await gatherSelection(this.#editor), chat);
  }

  async #attachOffer(offerId: string, chat: AttachmentTarget): Promise<void> {
    const source = contextSources(this.#options.lastTextEditor.notebook).find(({ id }) => id === offerId);
    if (source !== undefined) {
      await this.#gatherFrom(source, chat);
      return;
    }
    if (offerId.startsWith(urlOffer)) {
      await this.attach(await this.#readPage(offerId.slice(urlOffer.length), chat), chat);
      return;
    }
    const uri = offerId.startsWith(fileOffer) ? resolvePath(offerId.slice(fileOffer.length)) : undefined;
    if (uri !== undefined) await this.#attachUris([uri], chat);
  }

  async #gatherFrom(source: ContextSource, chat: AttachmentTarget): Promise<void> {
    const readPage = (url: string): Promise<Gathered> => this.#readPage(url, chat);
    await this.attach(await source.gather({ files: this.#files, editor: this.#editor, readPage }), chat);
  }

  #readPage(url: string, chat: AttachmentTarget): Promise<Gathered> {
    const connection = this.#options.receiverOf(chat)?.connection;
    return this.#websites.gather(url, connection);
  }

  async #attachData(request: DataRequest, chat: AttachmentTarget): Promise<void> {
    await this.attach(await gatherDataRequest(request), chat);
  }

  async #attachText(text: string, chat: AttachmentTarget, page: ContextPage): Promise<void> {
    let isAttached = false;
    try {
      isAttached = (await this.attach(gatherText(text), chat)) === 0;
    } finally {
      if (!isAttached) page.restoreText(text);
    }
  }

  /** Attaches as much as fits and shows one notice about the rest. Returns how many attachments did not fit. */
  async attach({ attachments, refusals }: Gathered, chat: AttachmentTarget): Promise<number> {
    const images = attachments.filter(({ kind }) => attachmentTraits[kind].holds === "image");
    const refusal = images.length === 0 ? undefined : await this.#refusalOfImages(chat);
    const taken = refusal === undefined ? attachments : attachments.filter((each) => !images.includes(each));
    const tooMuch = chat.attach(taken);
    showRefusals([
      ...refusals,
      ...(refusal === undefined || refusal === "" ? [] : [refusal]),
      ...(tooMuch === 0 ? [] : [tooMuchText(tooMuch)]),
    ]);
    return tooMuch;
  }

  /** Returns why images can't be attached. Undefined if they can, empty if the user declined. */
  async #refusalOfImages(chat: AttachmentTarget): Promise<string | undefined> {
    const asked = this.#roomOf(chat);
    if (asked === undefined) return undefined;
    const { model, room } = asked;
    if (room.takesImages === false) return vscode.l10n.t("The model '{0}' doesn't accept images.", model);
    return room.takesImages === true || (await confirmImage(model)) ? undefined : "";
  }

  async #find(searchId: number, typed: string, chat: AttachmentTarget, page: ContextPage): Promise<void> {
    this.#searches.get(chat)?.abort();
    const search = new AbortController();
    this.#searches.set(chat, search);
    if (isWebUrl(typed)) {
      page.answer({ type: "context-offers", searchId, offers: [offerOfPage(typed)] });
      return;
    }
    const lower = typed.toLowerCase();
    const sources = contextSources(this.#options.lastTextEditor.notebook)
      .filter(({ label }) => label.toLowerCase().includes(lower))
      .map(({ id, label, description }) => ({ id, label, description }));
    const limit = maxOffers - sources.length;
    for await (const { paths, isWhole } of this.#files.find(typed, limit, search.signal)) {
      if (search.signal.aborted) return;
      const files = paths.map((path) => ({ id: `${fileOffer}${path}`, ...convertPathToLabel(path) }));
      page.answer({
        type: "context-offers",
        searchId,
        // A typed name usually means a file. Offer other sources only below the files, once the search is complete.
        offers: typed === "" ? [...sources, ...files] : [...files, ...(isWhole ? sources : [])],
        ...(isWhole ? {} : { isPartial: true }),
      });
    }
  }

  async #open(id: string, turnId: string | undefined, chat: AttachmentTarget): Promise<void> {
    const attachment = findAttachment(id, turnId, chat);
    if (attachment === undefined) return;
    this.#opener ??= new AttachmentOpener();
    await this.#opener.open(attachment);
  }

  /** The active text editor. While a chat in a tab or window is active, the last used text editor. */
  get #editor(): vscode.TextEditor | undefined {
    return vscode.window.activeTextEditor ?? this.#options.lastTextEditor.current;
  }

  /** The model that the chat would ask now, and its limits. Undefined without a connection. */
  #roomOf(chat: AttachmentTarget): { readonly model: string; readonly room: ModelLimits } | undefined {
    const receiver = this.#options.receiverOf(chat);
    if (receiver === undefined) return undefined;
    const { connection, model, clientStyle } = receiver;
    return { model, room: this.#options.limits.limitsOf(connection, model, clientStyle) };
  }
}

function offerOfPage(url: string): ContextOffer {
  return {
    id: `${urlOffer}${url}`,
    label: vscode.l10n.t("Attach {0}", url),
    description: vscode.l10n.t("Web page"),
  };
}

type DataRequest = Extract<ContextRequest, { type: "attach-data" | "refuse-data" | "refuse-rest" }>;

async function gatherDataRequest(request: DataRequest): Promise<Gathered> {
  switch (request.type) {
    case "attach-data":
      return gatherData(request.name, request.mediaType, request.data);
    case "refuse-data":
      return refuseData(request.name, request.bytes);
    case "refuse-rest":
      return refuseRest(request.count);
  }
}

function findAttachment(
  id: string,
  turnId: string | undefined,
  chat: AttachmentTarget,
): Attachment | undefined {
  if (turnId === undefined) return chat.attachments.find((each) => each.id === id);
  const { turns, arriving } = chat.session.transcript;
  const turn = [...turns, ...(arriving === null ? [] : [arriving])].find((each) => each.id === turnId);
  return turn && shownWith(turn).find((each) => each.id === id);
}

function shownWith(turn: Turn): readonly Attachment[] {
  const more =
    turn.kind === "question"
      ? (turn.instructions ?? [])
      : (turn.queued ?? []).flatMap(({ attachments = [] }) => attachments);
  return [...attachmentsOf(turn), ...more];
}

/** Gathers a file that was dropped or pasted from the operating system. `data` is base64. */
async function gatherData(givenName: string, mediaType: string, data: string): Promise<Gathered> {
  const name = givenName.slice(Math.max(givenName.lastIndexOf("/"), givenName.lastIndexOf("\\")) + 1);
  const bytes = Buffer.from(data, "base64");
  if (isImageType(mediaType)) {
    return bytes.length > attachmentLimits.imageBytes
      ? refused(tooLargeText(name, bytes.length, attachmentLimits.imageBytes))
      : attached(createImageAttachment(name, mediaType, bytes));
  }
  const pdf = gatherPdf(name, bytes);
  if (pdf !== undefined) return pdf.attachments.length === 0 || (await mayAttach(name)) ? pdf : nothing;
  const decoded = await decodeFile(bytes);
  const cells = decoded.kind === "text" && isNotebookName(name) ? readNotebookJson(decoded.text) : undefined;
  if (cells !== undefined) return (await mayAttach(name)) ? attachCells(cells, name, name) : nothing;
  if (bytes.length > attachmentLimits.fileBytes) return refused(tooLargeText(name, bytes.length));
  if (decoded.kind !== "text") return refused(notTextReason(name, decoded.kind));
  return (await mayAttach(name)) ? attached(fileAttachment(decoded, name, languageOf(name))) : nothing;
}

async function mayAttach(name: string): Promise<boolean> {
  return !isSensitiveName(name) || confirmSensitiveFiles([name]);
}

/** Refuses a file that is too large for the page to read, or unreadable if `bytes` is missing. */
function refuseData(name: string, bytes: number | undefined): Gathered {
  if (bytes === undefined) return refused(unreadText(name));
  // The text of a notebook can be much smaller than its file, so only the limit of the page applies.
  return refused(tooLargeText(name, bytes, isNotebookName(name) ? attachmentLimits.pdfBytes : undefined));
}

/** Refuses files beyond the limit of attachments per question. */
function refuseRest(count: number): Gathered {
  return refused(tooMuchText(count));
}

/** Gathers a long pasted text. */
export function gatherText(text: string): Gathered {
  const name = vscode.l10n.t("Pasted text");
  const lines = text.split("\n").length;
  const detail = lines === 1 ? vscode.l10n.t("1 line") : vscode.l10n.t("{0} lines", lines);
  return attached(createTextAttachment({ kind: "text", name, text, detail }));
}
