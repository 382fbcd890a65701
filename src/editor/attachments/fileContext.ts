import * as vscode from "vscode";
import {
  type Attachment,
  attachmentLimits,
  type AttachmentPlace,
  placeText,
} from "../../chat/transcript/attachments.ts";
import type { Decoded, DecodedText } from "../../text/decodeBytes.ts";
import { type NotebookCellText, writeCells } from "../../text/notebookText.ts";
import { isPdfName, readPdfFile } from "../../text/pdfFile.ts";
import { isNotebook, openNotebookOf } from "../shared/notebooks.ts";
import { findFile, openDocumentOf, readBytes, readNotebook, readTextFile } from "../shared/readTextFile.ts";
import { confirmFaultyPattern, confirmOutsideFiles, confirmSensitiveFiles } from "./consent.ts";
import type { Exclusion, Exclusions } from "../files/exclusions.ts";
import { attached, type Gathered, nothing, refused } from "./gathered.ts";
import { imageTypeOf, nameOf, placeOf, shownPath } from "../files/workspacePaths.ts";
import { isOutside, isSensitiveFile } from "../files/realPlaces.ts";
import { sizeText } from "../files/workspaceFiles.ts";
import { createImageAttachment, createPdfAttachment, createTextAttachment } from "./textAttachment.ts";

/**
 * Reads files that the user or a prompt selected by name. Returns one result per URI, in order.
 * @param may consents that the user already gave: files outside the workspace, files a faulty pattern might match
 */
export async function gatherFiles(
  uris: readonly vscode.Uri[],
  exclusions: Exclusions,
  may: { readonly outside?: boolean; readonly faulty?: boolean } = {},
): Promise<readonly Gathered[]> {
  const refusals = await Promise.all(uris.map((uri) => refusalOf(uri, exclusions)));
  const readable = uris.filter((_, index) => refusals[index] === undefined);
  const inside = may.outside === true ? readable : await confirmOutside(readable);
  const allowed = await confirmSensitive(
    may.faulty === true ? inside : await confirmFaulty(inside, exclusions),
  );
  const gathered: Gathered[] = [];
  for (const [index, uri] of uris.entries()) {
    const refusal = refusals[index];
    if (refusal !== undefined) gathered.push(refused(refusal));
    else gathered.push(allowed.includes(uri) ? await readFile(uri) : nothing);
  }
  return gathered;
}

async function refusalOf(uri: vscode.Uri, exclusions: Exclusions): Promise<string | undefined> {
  const exclusion = await exclusions.exclusionOf(uri);
  if (exclusion === undefined) return undefined;
  // Files with keys are usually ignored by git too. For them, ask instead of refusing.
  const isAsked = exclusion === "gitignore" && (await isSensitiveFile(uri));
  return isAsked ? undefined : exclusionText(nameOf(uri), exclusion);
}

/** Asks once about all files outside the workspace. Without consent, returns only the files in the workspace. */
async function confirmOutside(files: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const outside = await filterFiles(files, isOutside);
  const mayAll = outside.length === 0 || (await confirmOutsideFiles(outside.map(nameOf)));
  return mayAll ? files : files.filter((file) => !outside.includes(file));
}

/** Asks once about all files that an unreadable exclude pattern might match. */
async function confirmFaulty(
  files: readonly vscode.Uri[],
  exclusions: Exclusions,
): Promise<readonly vscode.Uri[]> {
  const patterns = await Promise.all(files.map((file) => exclusions.faultyPatternOf(file)));
  const faulty = files.filter((_, index) => patterns[index] !== undefined);
  const pattern = patterns.find((each) => each !== undefined);
  const mayAll = pattern === undefined || (await confirmFaultyPattern(faulty.map(shownPath), pattern));
  return mayAll ? files : files.filter((file) => !faulty.includes(file));
}

/** Asks once about all files that usually hold keys. */
async function confirmSensitive(files: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const sensitive = await filterFiles(files, isSensitiveFile);
  const mayAll = sensitive.length === 0 || (await confirmSensitiveFiles(sensitive.map(shownPath)));
  return mayAll ? files : files.filter((file) => !sensitive.includes(file));
}

async function filterFiles(
  files: readonly vscode.Uri[],
  test: (file: vscode.Uri) => Promise<boolean>,
): Promise<readonly vscode.Uri[]> {
  const kept = await Promise.all(files.map(async (file) => ((await test(file)) ? [file] : [])));
  return kept.flat();
}

export function exclusionText(name: string, exclusion: Exclusion): string {
  switch (exclusion) {
    case "chat.exclude":
      return vscode.l10n.t("'{0}' was not attached because inference.chat.exclude excludes it.", name);
    case "files.exclude":
      return vscode.l10n.t("'{0}' was not attached because files.exclude hides it.", name);
    case "gitignore":
      return vscode.l10n.t("'{0}' was not attached because .gitignore excludes it.", name);
  }
}

/** Reads an allowed file. An open document is read with its unsaved changes. */
async function readFile(uri: vscode.Uri): Promise<Gathered> {
  const name = nameOf(uri);
  const mediaType = imageTypeOf(name);
  if (isNotebook(uri)) {
    const gathered = await gatherNotebook(uri);
    if (gathered !== undefined) return gathered;
  }
  const file = await findFile(uri);
  if (file === undefined) return refused(unreadText(name));
  // Only its content tells whether a file is a PDF file.
  const limit = mediaType === undefined ? attachmentLimits.pdfBytes : attachmentLimits.imageBytes;
  if (file.size > limit) return refused(tooLargeText(name, file.size));
  try {
    const bytes = await readBytes(uri);
    if (mediaType !== undefined) return attached(createImageAttachment(name, mediaType, bytes, placeOf(uri)));
    const pdf = gatherPdf(name, bytes, placeOf(uri));
    if (pdf !== undefined) return pdf;
    if (file.size > attachmentLimits.fileBytes) return refused(tooLargeText(name, file.size));
    return attachText(await readTextFile(uri, bytes), uri);
  } catch {
    return refused(unreadText(name));
  }
}

/**
 * Attaches a PDF file, or says why it can't be attached. Undefined for other files.
 * @param place undefined for a file outside the workspace
 */
export function gatherPdf(name: string, bytes: Uint8Array, place?: AttachmentPlace): Gathered | undefined {
  const reading = readPdfFile(name, bytes);
  switch (reading) {
    case "other":
      return undefined;
    case "pdf": {
      const detail = `${place === undefined ? name : placeText(place)}, ${sizeText(bytes.length)}`;
      return attached(createPdfAttachment(name, detail, bytes, place));
    }
    case "empty":
      return refused(
        vscode.l10n.t(
          "'{0}' was not attached because the PDF file is empty. Download or save the file again.",
          name,
        ),
      );
    case "fake":
      return refused(
        vscode.l10n.t("'{0}' was not attached because it isn't a PDF file, although its name says so.", name),
      );
    case "cut":
      return refused(
        vscode.l10n.t(
          "'{0}' was not attached because the PDF file is incomplete. Download or save the file again.",
          name,
        ),
      );
    case "encrypted":
      return refused(
        vscode.l10n.t(
          "'{0}' was not attached because the PDF file is encrypted. Save a copy without encryption, and attach the copy.",
          name,
        ),
      );
  }
}

/** Bytes of a notebook's file, which can hold large outputs that are left out. */
const maxNotebookBytes = 50 * 1024 * 1024;

/** Undefined for a file that can't be read as a notebook. Such a file is attached as text. */
async function gatherNotebook(uri: vscode.Uri): Promise<Gathered | undefined> {
  const name = nameOf(uri);
  const size = openNotebookOf(uri) === undefined ? ((await findFile(uri))?.size ?? 0) : 0;
  if (size > maxNotebookBytes) return refused(tooLargeText(name, size, maxNotebookBytes));
  const cells = await readNotebook(uri).catch(() => undefined);
  return cells && attachCells(cells, name, shownPath(uri), placeOf(uri));
}

/** Attaches all cells of a notebook. @param path shown with the number of cells */
export function attachCells(
  cells: readonly NotebookCellText[],
  name: string,
  path: string,
  place?: AttachmentPlace,
): Gathered {
  const text = writeCells(cells);
  if (text.length > attachmentLimits.fileBytes) return refused(tooLargeText(name, text.length));
  const detail =
    cells.length === 1
      ? vscode.l10n.t("{0} (notebook, 1 cell)", path)
      : vscode.l10n.t("{0} (notebook, {1} cells)", path, cells.length);
  return attached(createTextAttachment({ kind: "file", name, text, place, detail }));
}

function attachText(decoded: Decoded, uri: vscode.Uri): Gathered {
  const name = nameOf(uri);
  if (decoded.kind !== "text") return refused(notTextReason(name, decoded.kind));
  const open = openDocumentOf(uri);
  return attached(fileAttachment(decoded, name, open?.languageId ?? languageOf(name), placeOf(uri)));
}

/** @param place undefined for a file outside the workspace */
export function fileAttachment(
  decoded: DecodedText,
  name: string,
  language: string,
  place?: AttachmentPlace,
): Attachment {
  const detail = readingText(place === undefined ? name : placeText(place), decoded);
  const { text, encoding, guessed } = decoded;
  const guessedEncoding = guessed ? encoding : undefined;
  return createTextAttachment({ kind: "file", name, text, language, place, detail, guessedEncoding });
}

/** Appends the guessed encoding and the number of unreadable characters to a path. */
function readingText(path: string, { encoding, guessed, unread }: DecodedText): string {
  if (!guessed) return unread === 0 ? path : vscode.l10n.t("{0} (unreadable characters: {1})", path, unread);
  return unread === 0
    ? vscode.l10n.t("{0}, read as {1} (guessed)", path, encoding)
    : vscode.l10n.t("{0}, read as {1} (guessed, unreadable characters: {2})", path, encoding, unread);
}

/** @param limit in bytes; the usual one for a file of this name if missing */
export function tooLargeText(name: string, bytes: number, limit = limitOf(name)): string {
  const { imageBytes, pdfBytes } = attachmentLimits;
  if (limit === imageBytes || limit === pdfBytes) {
    return vscode.l10n.t(
      "'{0}' is too large to attach ({1}, the limit is {2}).",
      name,
      sizeText(bytes),
      sizeText(limit),
    );
  }
  return vscode.l10n.t(
    "'{0}' is too large to attach ({1}, the limit is {2}). Attach a selection instead.",
    name,
    sizeText(bytes),
    sizeText(limit),
  );
}

function limitOf(name: string): number {
  const { fileBytes, imageBytes, pdfBytes } = attachmentLimits;
  if (imageTypeOf(name) !== undefined) return imageBytes;
  return isPdfName(name) ? pdfBytes : fileBytes;
}

export function unreadText(name: string): string {
  return vscode.l10n.t("Couldn't read '{0}'.", name);
}

export function notTextReason(name: string, kind: "binary" | "unknown"): string {
  return kind === "binary"
    ? vscode.l10n.t("'{0}' was not attached because it is not a text file.", name)
    : vscode.l10n.t(
        "'{0}' was not attached because its encoding is unknown. Open the file and select Reopen with Encoding, or set files.encoding.",
        name,
      );
}

/** Returns the file extension in lower case, or an empty string. Code fences use extensions as language names too. */
export function languageOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
