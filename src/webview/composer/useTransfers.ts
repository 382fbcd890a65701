import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { isAttachable, longTextOf, readTransfer } from "./contextTransfer.ts";
import { usePage } from "../context/pageContext.ts";
import { PendingTransfers } from "./pendingTransfers.ts";

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
    const attached = readTransfer(transfer).then((requests) =>
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
