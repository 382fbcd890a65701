import { render } from "preact";
import { type FromReportPage, readReportMessage } from "../../connection/report/reportMessages.ts";
import { createTranslate } from "../../text/translate.ts";
import { ReportPage } from "./reportPage.tsx";

function startPage(root: HTMLElement): void {
  const editor = acquireVsCodeApi();
  const post = (message: FromReportPage): void => editor.postMessage(message);
  const onAction = (id: string): void => post({ type: "action", id });
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = readReportMessage(data);
    if (message === undefined) return;
    const t = createTranslate(message.translations);
    preserveFocus(root, () => render(<ReportPage report={message.report} t={t} onAction={onAction} />, root));
  });
  post({ type: "ready" });
}

/** Renders the page. If this removes the focused element, moves the focus to the first button or else the heading. */
function preserveFocus(root: HTMLElement, draw: () => void): void {
  const before = document.activeElement;
  const held = before instanceof HTMLElement && root.contains(before);
  draw();
  if (held && !before.isConnected) {
    (root.querySelector<HTMLElement>(".report-actions button") ?? root.querySelector("h1"))?.focus();
  }
}

const root = document.getElementById("root");
if (root !== null) {
  startPage(root);
}
