import * as vscode from "vscode";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { settingSection } from "../../contributions.ts";
import type { ChatPrompts } from "./chatPrompts.ts";
import { readFrontMatter } from "../../text/frontMatter.ts";
import { maxPromptFileLength } from "../../chat/prompts/promptFile.ts";
import { createTextAttachment } from "../attachments/textAttachment.ts";
import { placeOf, resolvePath, shownPath } from "../files/workspacePaths.ts";
import { readInstructionsSetting, readsInstructionFiles } from "../workspace/settings.ts";
import { readSmallFile } from "./smallFile.ts";

/** Reports the instructions for a page's next question, until disposed. */
export class ChatInstructions implements vscode.Disposable {
  readonly #prompts: ChatPrompts;
  readonly #onRead: (instructions: readonly Attachment[]) => void;
  readonly #subscription: vscode.Disposable;
  #attached: readonly Attachment[] | undefined;
  #reading = 0;

  constructor(prompts: ChatPrompts, onRead: (instructions: readonly Attachment[]) => void) {
    this.#prompts = prompts;
    this.#onRead = onRead;
    const readAgain = (): void => {
      if (this.#attached !== undefined) this.read(this.#attached);
    };
    // No file watcher: instructions are read again when a question is sent. This reading is only for the token
    // estimate.
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(readAgain),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isInstructionsFile(uri)) readAgain();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingSection)) readAgain();
      }),
    );
  }

  /** Reads the instructions for a question with these attachments. Only the newest reading is reported. */
  read(attached: readonly Attachment[]): void {
    this.#attached = attached;
    this.#reading += 1;
    const reading = this.#reading;
    // The question itself reports what can't be read.
    this.#read(attached, reading).catch(() => undefined);
  }

  async #read(attached: readonly Attachment[], reading: number): Promise<void> {
    const instructions = await this.#prompts.instructionsFor(attached);
    if (reading === this.#reading) this.#onRead(instructions);
  }

  dispose(): void {
    this.#reading += 1;
    this.#subscription.dispose();
  }
}

const agentsFile = "AGENTS.md";
const teamFile = [".github", "copilot-instructions.md"] as const;
/** Maximum number of files to send, and of paths to look for. */
const maxFiles = 20;
const maxPlaces = 400;

/** Whether a file of this name may contain instructions. */
function isInstructionsFile(uri: vscode.Uri): boolean {
  return uri.path.endsWith(`/${agentsFile}`) || uri.path.endsWith(`/${teamFile.join("/")}`);
}

interface Instructions {
  readonly attachments: readonly Attachment[];
  /** Sentences for the user about texts that were not read. */
  readonly problems: readonly string[];
}

/**
 * Reads what is sent before a question, the most general first. First the setting, then the files in each folder's
 * root, then each `AGENTS.md` on the way to the attached files. In Restricted Mode, reads no file, and VS Code ignores
 * the workspace's value of the setting.
 */
export async function readInstructions(attached: readonly Attachment[]): Promise<Instructions> {
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  for (const text of settingTexts()) {
    if (text.length <= maxPromptFileLength) {
      attachments.push(createTextAttachment({ kind: "instructions", name: "inference.instructions", text }));
    } else
      problems.push(vscode.l10n.t("The setting inference.instructions is too long to send. Shorten it."));
  }
  let files = 0;
  for (const uri of vscode.workspace.isTrusted ? instructionUris(attached) : []) {
    if (files === maxFiles) break;
    const read = await readSmallFile(uri);
    if (read.kind === "problem") {
      files += 1;
      problems.push(read.sentence);
    }
    if (read.kind !== "text") continue;
    const head = readFrontMatter(read.text);
    // Invalid front matter may be ordinary text.
    const text = "reason" in head ? read.text : head.body;
    if (text.trim() === "") continue;
    files += 1;
    const place = placeOf(uri);
    attachments.push(
      createTextAttachment({ kind: "instructions", name: shownPath(uri), text, language: "markdown", place }),
    );
  }
  return { attachments, problems };
}

/** The setting's texts for all folders, without duplicates. */
function settingTexts(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [undefined];
  const texts = folders.map((folder) => readInstructionsSetting(folder).trim());
  return [...new Set(texts)].filter((text) => text !== "");
}

function instructionUris(attached: readonly Attachment[]): readonly vscode.Uri[] {
  const roots = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => readsInstructionFiles(uri));
  const uris = roots.flatMap(({ uri }) => [
    vscode.Uri.joinPath(uri, ...teamFile),
    vscode.Uri.joinPath(uri, agentsFile),
  ]);
  const nearer = attached.flatMap(({ place }) => (place === undefined ? [] : agentsFilesAbove(place.path)));
  const byName = new Map([...uris, ...nearer].map((uri) => [uri.toString(), uri]));
  return [...byName.values()].slice(0, maxPlaces);
}

/** Returns where `AGENTS.md` can be between the workspace folder and a file, the nearest folder last. */
function agentsFilesAbove(path: string): readonly vscode.Uri[] {
  const uri = resolvePath(path);
  const root = uri && vscode.workspace.getWorkspaceFolder(uri);
  if (uri === undefined || root === undefined || !readsInstructionFiles(root.uri)) return [];
  const folders = uri.path.slice(root.uri.path.length).split("/").filter(Boolean).slice(0, -1);
  return folders.map((_, index) => vscode.Uri.joinPath(root.uri, ...folders.slice(0, index + 1), agentsFile));
}
