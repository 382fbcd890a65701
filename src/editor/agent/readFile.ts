import { numberLines } from "../../chat/agent/fileLines.ts";
import { writeCells, writeSources } from "../../text/notebookText.ts";
import { sizeText } from "../files/workspaceFiles.ts";
import { isNotebook } from "../shared/notebooks.ts";
import { readNotebook } from "../shared/readTextFile.ts";
import { defineTool, done, ToolError } from "./agentTool.ts";
import { findPlace, placeName, requireExisting, requireReadable } from "./toolPlaces.ts";
import { readFreshText } from "./writeDocument.ts";
import { maxFileBytes } from "./writeRules.ts";

/** Bytes. A larger file is read in no part, since decoding needs all of it. */
const maxBytes = 10 * 1024 * 1024;

export const readFileTool = defineTool({
  name: "read_file",
  description:
    "Reads a text file of the workspace and returns its lines with their numbers, at most 2,000 lines or 48,000 characters. Read long files in parts. A notebook is read as numbered cells with the text of their outputs.",
  parameters: {
    path: {
      type: "string",
      description: "Path relative to the workspace, such as app/main.ts.",
      aliases: ["filePath", "file_path", "file"],
    },
    startLine: {
      type: "integer",
      description: "First line to read, counted from 1. Default: 1.",
      isOptional: true,
      aliases: ["start_line", "offset"],
    },
    endLine: {
      type: "integer",
      description: "Last line to read. Default: the last line of the file.",
      isOptional: true,
      aliases: ["end_line"],
    },
  },
  run: async ({ path, startLine, endLine }, run) => {
    const uri = await findPlace(path);
    await requireReadable(uri, run);
    const name = placeName(uri);
    const { size, isFile, isFolder } = await requireExisting(uri);
    if (isFolder) throw new ToolError(`${name} is a folder. Use list_folder.`);
    // A read of a pipe or a device may never end.
    if (!isFile) throw new ToolError(`${name} is not a file. Nothing was read.`);
    // A notebook's file can hold large outputs, which are left out.
    const limit = isNotebook(uri) ? maxFileBytes : maxBytes;
    if (size > limit) {
      throw new ToolError(
        `${name} is too large to read: ${sizeText(size)}, the limit is ${sizeText(limit)}. Nothing was read.`,
      );
    }
    const cells = await readNotebook(uri);
    if (cells !== undefined) {
      await run.services.readTexts.note(run.chatId, uri, writeSources(cells));
      const { text, ...facts } = numberLines(await run.clean(writeCells(cells)), startLine, endLine);
      return done(text, facts);
    }
    const decoded = await readFreshText(uri);
    if (decoded.kind !== "text") throw new ToolError(`${name} is not a text file. Nothing was read.`);
    await run.services.readTexts.note(run.chatId, uri, decoded.text);
    const { text, ...facts } = numberLines(await run.clean(decoded.text), startLine, endLine);
    return done(text, facts);
  },
});
