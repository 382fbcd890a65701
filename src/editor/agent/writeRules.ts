import * as vscode from "vscode";
import { Exclusions } from "../files/exclusions.ts";
import { isOutside, isSensitiveFile, realPlaceOf } from "../files/realPlaces.ts";
import { isOfGit, sizeText } from "../files/workspaceFiles.ts";
import { isNotebook } from "../shared/notebooks.ts";
import { ToolError } from "./agentTool.ts";
import { findPlace, placeName, placeNameWithTarget, requireExisting } from "./toolPlaces.ts";

/** Bytes. VS Code opens no larger file as text. */
export const maxFileBytes = 50 * 1024 * 1024;

/** A file that may be written, if the user agrees. */
export interface WritePlace {
  /** With links resolved. */
  readonly uri: vscode.Uri;
  /** The place that the model named, which may be a link. */
  readonly given: vscode.Uri;
  /** The path as the model and the user see it. */
  readonly name: string;
  /** The path for the card; with the target if a link leads elsewhere. */
  readonly shownName: string;
  /** The file usually holds keys or is ignored, so the user is always asked. */
  readonly alwaysAsks: boolean;
}

/**
 * Finds an existing file that the model wants to edit.
 * @throws ToolError for a file that is never written
 */
export async function findFileToEdit(path: string): Promise<WritePlace> {
  requireTrust();
  const given = await findPlace(path);
  const place = await requireWritable(given);
  await requireEditable(place);
  return place;
}

/**
 * Finds the place of a new file.
 * @throws ToolError for a file that exists or is never written
 */
export async function findFileToCreate(path: string): Promise<WritePlace> {
  requireTrust();
  const given = await findPlace(path);
  // Some models begin a path in the workspace with a slash. The place of a new file is not guessed.
  if (/^(?:[/\\]|[a-z]:)/iu.test(path) && comparable(given.fsPath) !== comparable(path)) {
    throw new ToolError(
      `${path} is not in the workspace. Give a path relative to the workspace. Nothing was created.`,
    );
  }
  const place = await requireWritable(given);
  if (isNotebook(given)) {
    throw new ToolError(
      `${place.name} is a notebook, which this tool cannot create. Ask the user to create it in VS Code. Then edit its cells with edit_file. Nothing was created.`,
    );
  }
  await requireMissing(place);
  return place;
}

/** @throws ToolError if the file exists */
export async function requireMissing({ uri, name }: WritePlace): Promise<void> {
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (isThere) throw new ToolError(`${name} exists already. Use edit_file. Nothing was created.`);
}

/** Repeats the checks of links, which may have changed while the user was asked. @throws ToolError */
export async function requireSamePlace({ uri, name }: WritePlace): Promise<void> {
  if ((await isOutside(uri)) || (await isOfGit(uri)))
    throw new ToolError(`${name} now leads to another place. Nothing was changed.`);
}

function comparable(path: string): string {
  return path.normalize("NFC").replaceAll("\\", "/").toLowerCase();
}

function requireTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new ToolError("The workspace is in Restricted Mode. Nothing was changed.");
}

async function requireWritable(given: vscode.Uri): Promise<WritePlace> {
  const name = placeName(given);
  if (await isOutside(given))
    throw new ToolError(
      `${name} is outside the workspace. Only files in the workspace can be written. Nothing was changed.`,
    );
  if (await isOfGit(given))
    throw new ToolError(`${name} belongs to Git itself, and is never written. Nothing was changed.`);
  const exclusions = new Exclusions();
  const exclusion = await exclusions.exclusionOf(given);
  if (exclusion === "chat.exclude") {
    throw new ToolError(
      `The user's setting inference.chat.exclude keeps ${name} out of the chat. Nothing was changed.`,
    );
  }
  if (vscode.workspace.fs.isWritableFileSystem(given.scheme) === false)
    throw new ToolError("The file system of the workspace is read-only. Nothing was changed.");
  const uri = await realPlaceOf(given);
  return {
    uri,
    given,
    name: placeName(uri),
    shownName: await placeNameWithTarget(given),
    alwaysAsks:
      exclusion !== undefined ||
      (await isSensitiveFile(given)) ||
      (await exclusions.faultyPatternOf(given)) !== undefined,
  };
}

async function requireEditable({ uri, name }: WritePlace): Promise<void> {
  const { size, isFile, isFolder } = await requireExisting(uri);
  if (isFolder) throw new ToolError(`${name} is a folder. Nothing was changed.`);
  if (!isFile) throw new ToolError(`${name} is not a file. Nothing was changed.`);
  if (size > maxFileBytes) {
    throw new ToolError(
      `${name} is too large to edit: ${sizeText(size)}, the limit is ${sizeText(maxFileBytes)}. Nothing was changed.`,
    );
  }
  // VS Code reports a write-protected file by a permission that its API does not name.
  if ((await vscode.workspace.fs.stat(uri)).permissions !== undefined)
    throw new ToolError(`${name} is read-only. Nothing was changed.`);
}
