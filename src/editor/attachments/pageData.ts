import * as vscode from "vscode";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import { isSensitiveName } from "../../files/sensitiveName.ts";
import { decodeFile } from "../shared/readTextFile.ts";
import { askSensitive } from "./consent.ts";
import { fileAttachment, languageOf, notTextReason, tooLargeText, unreadText } from "./fileContext.ts";
import { attached, type Gathered, nothing, refused, tooMuchText } from "./gathered.ts";
import { isImageType } from "../files/imageTypes.ts";
import { createImageAttachment, createTextAttachment } from "./textAttachment.ts";

/** A file of the system that was dropped on the page or pasted there. */
export async function gatherData(givenName: string, mediaType: string, data: string): Promise<Gathered> {
  const name = givenName.slice(Math.max(givenName.lastIndexOf("/"), givenName.lastIndexOf("\\")) + 1);
  const bytes = Buffer.from(data, "base64");
  if (isImageType(mediaType)) {
    return bytes.length > attachmentLimits.imageBytes
      ? refused(tooLargeText(name, bytes.length, attachmentLimits.imageBytes))
      : attached(createImageAttachment(name, mediaType, bytes));
  }
  if (bytes.length > attachmentLimits.fileBytes) {
    return refused(tooLargeText(name, bytes.length, attachmentLimits.fileBytes));
  }
  const decoded = await decodeFile(bytes);
  if (decoded.kind !== "text") return refused(notTextReason(name, decoded.kind));
  if (isSensitiveName(name) && !(await askSensitive([name]))) return nothing;
  return attached(fileAttachment(decoded, name, languageOf(name)));
}

/** A file that the page has not even read or, without its size, could not read. */
export function refuseData(name: string, bytes: number | undefined): Gathered {
  return refused(
    bytes === undefined ? unreadText(name) : tooLargeText(name, bytes, attachmentLimits.imageBytes),
  );
}

/** Files that are more than one question takes. */
export function refuseRest(count: number): Gathered {
  return refused(tooMuchText(count));
}

/** A long text that was pasted. */
export function gatherText(text: string): Gathered {
  const name = vscode.l10n.t("Pasted text");
  const lines = text.split("\n").length;
  const detail = lines === 1 ? vscode.l10n.t("1 line") : vscode.l10n.t("{0} lines", lines);
  return attached(createTextAttachment({ kind: "text", name, text, detail }));
}
