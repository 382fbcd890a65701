import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Attachment } from "../../../src/chat/transcript/attachments.ts";
import type { ContextOffer } from "../../../src/chat/page/protocol.ts";
import { promptNames } from "../../../src/chat/prompts/promptTemplates.ts";
import { createTextAttachment } from "../../../src/editor/attachments/textAttachment.ts";
import { sampleWorkspace } from "../paths.ts";
import type { PageHostOptions } from "./pageHost.ts";

export function sampleAttachment(name: string): Attachment {
  return createTextAttachment({
    kind: "file",
    name,
    text: readFileSync(path.join(sampleWorkspace, name), "utf8"),
    place: { path: name },
  });
}

/** A page that was cut when it was read. */
export const pageAttachment: Attachment = {
  ...createTextAttachment({
    kind: "website",
    name: "Tide tables, and how to read them (docs.example)",
    text: "High water at noon. ".repeat(1000),
    detail: "https://docs.example/tides?day=1",
  }),
  trimmedFrom: 30_000,
};

const files: readonly ContextOffer[] = readdirSync(sampleWorkspace).map((name) => ({
  id: `file:${name}`,
  label: name,
  description: "",
}));
const kinds: readonly ContextOffer[] = [
  { id: "selection", label: "Selection", description: "What is selected in the editor" },
  { id: "folder", label: "Folder...", description: "A folder's tree, with files of your choice" },
];
const prompts: readonly ContextOffer[] = promptNames.map((name) => ({
  id: name,
  label: `/${name}`,
  description: `What /${name} asks of the model`,
}));

/** Host options that offer the sample workspace's files, two kinds of context and the prompts. */
export const sampleOffers: Pick<PageHostOptions, "offers" | "attached"> = {
  offers: (kind, typed) => {
    if (kind === "prompts") return prompts.filter(({ id }) => id.startsWith(typed));
    const found = files.filter(({ label }) => label.includes(typed));
    return typed === "" ? [...kinds, ...found] : found;
  },
  attached: (offerId) =>
    offerId.startsWith("file:") ? [sampleAttachment(offerId.slice("file:".length))] : [],
};
