import * as vscode from "vscode";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { missingGitText, showGitNotice } from "../files/gitRepositories.ts";
import { reportError, showWarning } from "../shared/notices.ts";

/** The result of an attempt to attach something. Both lists are empty if the user canceled. */
export interface Gathered {
  readonly attachments: readonly Attachment[];
  /** Sentences that tell the user which items were not attached, and why. */
  readonly refusals: readonly string[];
}

export const nothing: Gathered = { attachments: [], refusals: [] };

export function attached(...attachments: readonly Attachment[]): Gathered {
  return { attachments, refusals: [] };
}

export function refused(...refusals: readonly string[]): Gathered {
  return { attachments: [], refusals };
}

export function together(all: readonly Gathered[]): Gathered {
  return {
    attachments: all.flatMap(({ attachments }) => attachments),
    refusals: all.flatMap(({ refusals }) => refusals),
  };
}

export function tooMuchText(count: number): string {
  return vscode.l10n.t(
    "Attachments that didn't fit: {0}. A question can have up to 50 attachments, 3 MB of text, and 50 MB of images and PDF files.",
    count,
  );
}

const shownRefusals = 3;

/** Shows one warning that lists what was not attached. */
export function showRefusals(refusals: readonly string[]): void {
  if (refusals.length === 0) return;
  const shown = refusals.slice(0, shownRefusals).join(" ");
  const more = refusals.length - shownRefusals;
  const text = more > 0 ? `${shown} ${moreText(more)}` : shown;
  const isAboutGit = refusals.includes(missingGitText());
  reportError(isAboutGit ? showGitNotice(text, showWarning) : showWarning(text));
}

function moreText(count: number): string {
  return count === 1
    ? vscode.l10n.t("1 more item was not attached.")
    : vscode.l10n.t("{0} more items were not attached.", count);
}
