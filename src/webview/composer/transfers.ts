import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { usePage } from "../context/pageContext.ts";
import { longPaste, type ContextRequest } from "../../chat/page/protocol.ts";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import { isWebUrl } from "../../text/webUrl.ts";

/** The state of a drag or paste. */
export interface Transfers {
  /** Whether the user holds something attachable over the page. */
  readonly isOver: boolean;
  /** A text that was just pasted, and what it could become. */
  readonly pasted: PastedText | undefined;
  readonly forgetPasted: () => void;
  /** Files that are still being read. */
  readonly pending: PendingTransfers;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** A long text may be attached instead, and the page at a URL as well. */
export interface PastedText {
  readonly kind: "long-text" | "url";
  readonly text: string;
}

/** Accepts files dropped anywhere on the page, and files pasted into the composer. */
export function useTransfers(): Transfers {
  const { model } = usePage();
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState<PastedText>();
  const [pending] = useState(() => new PendingTransfers());
  const attachAll = (transfer: DataTransfer): void => {
    // The page may show another chat when the files are read.
    const post = model.postHere;
    const attached = requestTransfer(transfer).then((requests) =>
      requests.forEach((request) => post({ type: "context", request })),
    );
    void pending.add(attached);
  };
  // When the composer is removed, its pending question is not sent.
  useLayoutEffect(() => () => pending.forget(), [pending]);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (!isAttachable(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      // `relatedTarget` is null only if the pointer leaves the page.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (event.dataTransfer === null || !isAttachable(event.dataTransfer)) return;
      event.preventDefault();
      attachAll(event.dataTransfer);
    };
    document.addEventListener("dragover", onOver);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", onDrop);
    return () => {
      document.removeEventListener("dragover", onOver);
      document.removeEventListener("dragleave", onLeave);
      document.removeEventListener("drop", onDrop);
    };
  }, [model]);
  const onPaste = (event: ClipboardEvent): void => {
    const { clipboardData } = event;
    setPasted(attachableText(clipboardData?.getData("text/plain") ?? ""));
    // If an app copies text together with an image of it, paste the text.
    if (clipboardData === null || clipboardData.files.length === 0) return;
    if (clipboardData.getData("text/plain") !== "") return;
    event.preventDefault();
    attachAll(clipboardData);
  };
  return { isOver, pasted, forgetPasted: () => setPasted(undefined), pending, onPaste };
}

/** Types that VS Code uses for dragged files, in order of preference. Only the first type with data is read. */
const uriTypes = ["application/vnd.code.uri-list", "text/uri-list", "resourceurls"];

/** Whether the dragged data can be attached. */
function isAttachable(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => type === "Files" || uriTypes.includes(type)) ?? false;
}

/** The requests for dropped data: files from VS Code by URI, files of the system with their content. */
async function requestTransfer(transfer: DataTransfer): Promise<readonly ContextRequest[]> {
  const uris = uriTypes.map((type) => parseUriList(transfer.getData(type))).find((list) => list.length > 0);
  // Web links are not files. The host reports other URIs that it cannot read.
  const ofEditor = uris?.filter((uri) => !/^https?:/i.test(uri)) ?? [];
  if (ofEditor.length === 0) return requestFiles([...transfer.files], loadBase64);
  return [
    { type: "attach-uris", uris: ofEditor.slice(0, attachmentLimits.count) },
    ...refuseRest(ofEditor.length),
  ];
}

/** The pasted text if it is long, or exactly one URL; otherwise undefined. */
export function attachableText(text: string): PastedText | undefined {
  if (text.length >= longPaste)
    return text.length <= attachmentLimits.characters ? { kind: "long-text", text } : undefined;
  return isWebUrl(text.trim()) ? { kind: "url", text: text.trim() } : undefined;
}

/** Parses one URI per line, or the JSON list that VS Code's tabs provide. */
function parseUriList(text: string): readonly string[] {
  if (text.startsWith("[")) return [...text.matchAll(/"([^"\\]+)"/g)].map(([, uri = ""]) => uri);
  return text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
}

function loadBase64(file: File): Promise<string> {
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

/** A dropped or pasted file of the system. */
interface TransferredFile {
  readonly name: string;
  /** The media type, such as `image/png`. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

/** Creates requests that attach the files, and that report the files which cannot be attached. Never rejects. */
export async function requestFiles<Given extends TransferredFile>(
  files: readonly Given[],
  readContent: (file: Given) => Promise<string>,
): Promise<readonly ContextRequest[]> {
  const taken = files.slice(0, attachmentLimits.count);
  const requests = await Promise.all(taken.map((file) => requestFile(file, readContent)));
  return [...requests, ...refuseRest(files.length)];
}

/** Reports how many files exceed the maximum per question. */
function refuseRest(given: number): readonly ContextRequest[] {
  const count = given - attachmentLimits.count;
  return count > 0 ? [{ type: "refuse-rest", count }] : [];
}

async function requestFile<Given extends TransferredFile>(
  file: Given,
  readContent: (file: Given) => Promise<string>,
): Promise<ContextRequest> {
  const { name, type, size } = file;
  // The host knows the limit of each kind of file. A PDF file has the largest.
  if (size > attachmentLimits.pdfBytes) return { type: "refuse-data", name, bytes: size };
  try {
    return { type: "attach-data", name, mediaType: type, data: await readContent(file) };
  } catch {
    // The file does not exist any more, may not be read, or is a folder.
    return { type: "refuse-data", name };
  }
}

/** Counts the drops and pastes whose files are being read, and stores one action to run afterwards. */
export class PendingTransfers {
  #reading = 0;
  #next: (() => void) | undefined;

  /** Never rejects. */
  async add(reading: Promise<unknown>): Promise<void> {
    this.#reading += 1;
    await Promise.allSettled([reading]);
    this.#reading -= 1;
    if (this.#reading > 0) return;
    const next = this.#next;
    this.#next = undefined;
    next?.();
  }

  /** Stores `act` if files are still being read, replacing an earlier action. Returns false if there are none. */
  delays(act: () => void): boolean {
    if (this.#reading === 0) return false;
    this.#next = act;
    return true;
  }

  /** Drops the stored action. */
  forget(): void {
    this.#next = undefined;
  }
}
