import { longPaste, type ContextRequest } from "../../chat/page/protocol.ts";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import { refuseRest, requestFiles } from "./fileRequests.ts";

/** What the editor names dragged files by; the first one it filled is read. */
const uriTypes = ["application/vnd.code.uri-list", "text/uri-list", "resourceurls"];

/** Whether something is dragged that can be attached. */
export function isAttachable(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => type === "Files" || uriTypes.includes(type)) ?? false;
}

/** The requests that a drop makes: files of the editor by their addresses, files of the system whole. */
export async function readTransfer(transfer: DataTransfer): Promise<readonly ContextRequest[]> {
  const uris = uriTypes.map((type) => readUriList(transfer.getData(type))).find((list) => list.length > 0);
  // A web link is no file; what else the editor cannot read it says itself.
  const ofEditor = uris?.filter((uri) => !/^https?:/i.test(uri)) ?? [];
  if (ofEditor.length === 0) return requestFiles([...transfer.files], readBase64);
  return [
    { type: "attach-uris", uris: ofEditor.slice(0, attachmentLimits.count) },
    ...refuseRest(ofEditor.length),
  ];
}

/** A pasted text that is long enough to be offered as an attachment. */
export function longTextOf(transfer: DataTransfer | null): string | undefined {
  const text = transfer?.getData("text/plain") ?? "";
  return text.length >= longPaste && text.length <= attachmentLimits.characters ? text : undefined;
}

/** A line each or, of the editor's tabs, a JSON list. */
function readUriList(text: string): readonly string[] {
  if (text.startsWith("[")) return [...text.matchAll(/"([^"\\]+)"/g)].map(([, uri = ""]) => uri);
  return text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const { result } = reader;
      resolve(typeof result === "string" ? result.slice(result.indexOf(",") + 1) : "");
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
