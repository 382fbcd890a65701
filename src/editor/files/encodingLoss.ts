import * as vscode from "vscode";
import { encodingName } from "../../text/encodingNames.ts";
import { nameOf } from "./workspacePaths.ts";
import { showWarning } from "../shared/notices.ts";

/** The data that saving would destroy. */
export type EncodingLoss =
  /** The file is open in another encoding than its own. */
  | { readonly kind: "file" }
  /** The file's encoding cannot represent a character. */
  | { readonly kind: "character"; readonly character: string };

/**
 * Whether a document with the added text can be saved without loss. If not, tells the user why and what to do.
 * Always true for documents that are not files.
 */
export async function mayWriteText(document: vscode.TextDocument, added = ""): Promise<boolean> {
  const loss = await findLoss(document, added);
  if (loss === undefined) return true;
  void showLoss(document, loss);
  return false;
}

/** Returns the data that saving a document with the added text would destroy. Undefined for documents that are not files. */
export async function findLoss(
  document: vscode.TextDocument,
  added: string,
): Promise<EncodingLoss | undefined> {
  const { uri, encoding } = document;
  if (document.isUntitled || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined)
    return undefined;
  return (await survives(uri, encoding)) ? lossIn(added, encoding) : { kind: "file" };
}

/** Whether a new file can hold the text in the encoding of its settings. Tells the user if not. */
export async function mayCreateText(uri: vscode.Uri, text: string): Promise<boolean> {
  const character = await findLostCharacter(uri, text);
  if (character === undefined) return true;
  void showWarning(
    vscode.l10n.t(
      "'{0}' was not created because the encoding in your settings has no character {1}. Change files.encoding, and then try again.",
      nameOf(uri),
      characterText(character),
    ),
  );
  return false;
}

/** The first character that the encoding of a new file cannot hold. */
export async function findLostCharacter(uri: vscode.Uri, text: string): Promise<string | undefined> {
  const bytes = await vscode.workspace.encode(text, { uri });
  const encoding = vscode.workspace.getConfiguration("files", uri).get("encoding", "utf8");
  // Compare several readings: a language-specific setting can override `encoding`, and VS Code can misread bytes if it
  // guesses.
  const bySetting = await decodeIfText(bytes, { encoding });
  const readings = [
    ...["utf-8", "utf-16le", "utf-16be"].map((label) => new TextDecoder(label).decode(bytes)),
    bySetting,
    await decodeIfText(bytes, { uri }),
  ];
  return readings.includes(text) ? undefined : firstDifference(text, bySetting ?? "");
}

/** Whether decoding and encoding a file's bytes returns the same bytes. */
async function survives(uri: vscode.Uri, encoding: string): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (read) => read,
    () => undefined,
  );
  // A missing or unreadable file has no content to lose.
  if (bytes === undefined) return true;
  const unicode = unicodeLabel(encoding);
  try {
    if (unicode !== undefined) {
      new TextDecoder(unicode, { fatal: true }).decode(bytes);
      return true;
    }
    const text = await vscode.workspace.decode(bytes, { encoding });
    return Buffer.from(bytes).equals(await vscode.workspace.encode(text, { encoding }));
  } catch {
    return false;
  }
}

/** Undefined for encodings other than Unicode. */
function unicodeLabel(encoding: string): string | undefined {
  switch (encoding) {
    case "utf8":
    case "utf8bom":
      return "utf-8";
    case "utf16le":
      return "utf-16le";
    case "utf16be":
      return "utf-16be";
    default:
      return undefined;
  }
}

async function lossIn(text: string, encoding: string): Promise<EncodingLoss | undefined> {
  if (unicodeLabel(encoding) !== undefined) {
    const half = /\p{Surrogate}/u.exec(text)?.[0];
    return half === undefined ? undefined : { kind: "character", character: half };
  }
  const read = await decodeIfText(await vscode.workspace.encode(text, { encoding }), { encoding });
  return read === undefined || read === text
    ? undefined
    : { kind: "character", character: firstDifference(text, read) };
}

/** Undefined if VS Code treats the bytes as binary, such as a text with a NUL character. */
async function decodeIfText(
  bytes: Uint8Array,
  options: { readonly encoding: string } | { readonly uri: vscode.Uri },
): Promise<string | undefined> {
  try {
    return await ("uri" in options
      ? vscode.workspace.decode(bytes, options)
      : vscode.workspace.decode(bytes, options));
  } catch {
    return undefined;
  }
}

function firstDifference(text: string, read: string): string {
  const others = Array.from(read);
  return Array.from(text).find((character, index) => character !== others[index]) ?? "";
}

export function characterText(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0") ?? "";
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `'${character}' (U+${code})` : `U+${code}`;
}

async function showLoss(document: vscode.TextDocument, loss: EncodingLoss): Promise<void> {
  const change = vscode.l10n.t("Change Encoding...");
  if ((await showWarning(lossText(document, loss), change)) !== change) return;
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand("workbench.action.editor.changeEncoding");
}

function lossText({ uri, encoding }: vscode.TextDocument, loss: EncodingLoss): string {
  const [name, label] = [nameOf(uri), encodingName(encoding)];
  switch (loss.kind) {
    case "file":
      return vscode.l10n.t(
        "'{0}' was not changed. VS Code opened the file as {1}, but the file has a different encoding, so saving would damage it. Select Reopen with Encoding, and then try again.",
        name,
        label,
      );
    case "character":
      return vscode.l10n.t(
        "'{0}' was not changed because its encoding {1} has no character {2}. Select Save with Encoding, select UTF-8, and then try again.",
        name,
        label,
        characterText(loss.character),
      );
  }
}
