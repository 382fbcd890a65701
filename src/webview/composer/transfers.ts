import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { usePage } from "../context/pageContext.ts";
import { longPaste, type ContextRequest } from "../../chat/page/protocol.ts";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";

/** What is being dragged or pasted. */
export interface Transfers {
  /** Whether something that can be attached is held over the page. */
  readonly isOver: boolean;
  /** A long text that was just pasted; it may be attached in its place. */
  readonly pasted: string | undefined;
  readonly forgetPasted: () => void;
  /** What is still being read of it. */
  readonly pending: PendingTransfers;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Takes files dropped anywhere on the page, and files pasted into the composer. */
export function useTransfers(): Transfers {
  const { model } = usePage();
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState<string>();
  const [pending] = useState(() => new PendingTransfers());
  const attachAll = (transfer: DataTransfer): void => {
    // The page may show another chat by then.
    const post = model.postHere;
    const attached = requestTransfer(transfer).then((requests) =>
      requests.forEach((request) => post({ type: "context", request })),
    );
    void pending.add(attached);
  };
  // With the composer goes what was to be sent from it.
  useLayoutEffect(() => () => pending.forget(), [pending]);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (!isAttachable(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      // Between two elements of the page there is a next one.
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
    setPasted(longTextOf(clipboardData));
    // A text that was copied along with a picture of itself is meant as a text.
    if (clipboardData === null || clipboardData.files.length === 0) return;
    if (clipboardData.getData("text/plain") !== "") return;
    event.preventDefault();
    attachAll(clipboardData);
  };
  return { isOver, pasted, forgetPasted: () => setPasted(undefined), pending, onPaste };
}

/** What the editor names dragged files by; the first one it filled is read. */
const uriTypes = ["application/vnd.code.uri-list", "text/uri-list", "resourceurls"];

/** Whether something is dragged that can be attached. */
function isAttachable(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => type === "Files" || uriTypes.includes(type)) ?? false;
}

/** The requests that a drop makes: files of the editor by their addresses, files of the system whole. */
async function requestTransfer(transfer: DataTransfer): Promise<readonly ContextRequest[]> {
  const uris = uriTypes.map((type) => parseUriList(transfer.getData(type))).find((list) => list.length > 0);
  // A web link is no file; what else the editor cannot read it says itself.
  const ofEditor = uris?.filter((uri) => !/^https?:/i.test(uri)) ?? [];
  if (ofEditor.length === 0) return requestFiles([...transfer.files], loadBase64);
  return [
    { type: "attach-uris", uris: ofEditor.slice(0, attachmentLimits.count) },
    ...refuseRest(ofEditor.length),
  ];
}

/** A pasted text that is long enough to be offered as an attachment. */
function longTextOf(transfer: DataTransfer | null): string | undefined {
  const text = transfer?.getData("text/plain") ?? "";
  return text.length >= longPaste && text.length <= attachmentLimits.characters ? text : undefined;
}

/** A line each or, of the editor's tabs, a JSON list. */
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

/** A file of the system, as it was dropped or pasted. */
interface TransferredFile {
  readonly name: string;
  /** Such as `image/png`. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** What attaches the files as far as it can be done, and has the editor say of the others that it cannot. */
export async function requestFiles<Given extends TransferredFile>(
  files: readonly Given[],
  readContent: (file: Given) => Promise<string>,
): Promise<readonly ContextRequest[]> {
  const taken = files.slice(0, attachmentLimits.count);
  const requests = await Promise.all(taken.map((file) => requestFile(file, readContent)));
  return [...requests, ...refuseRest(files.length)];
}

/** Where there are more than one question takes. */
function refuseRest(given: number): readonly ContextRequest[] {
  const count = given - attachmentLimits.count;
  return count > 0 ? [{ type: "refuse-rest", count }] : [];
}

async function requestFile<Given extends TransferredFile>(
  file: Given,
  readContent: (file: Given) => Promise<string>,
): Promise<ContextRequest> {
  const { name, type, size } = file;
  if (size > attachmentLimits.imageBytes) return { type: "refuse-data", name, bytes: size };
  try {
    return { type: "attach-data", name, mediaType: type, data: await readContent(file) };
  } catch {
    // It is gone, may not be read, or is a folder.
    return { type: "refuse-data", name };
  }
}

/** Files that are being read, and what is to be done behind them. */
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

  /** Whether `act` has to wait until all is read; it takes the place of what waits. */
  delays(act: () => void): boolean {
    if (this.#reading === 0) return false;
    this.#next = act;
    return true;
  }

  /** What waits is not wanted any longer. */
  forget(): void {
    this.#next = undefined;
  }
}
