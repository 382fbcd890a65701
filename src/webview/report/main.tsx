import { render } from "preact";
import { type FromReportPage, readReportMessage } from "../../connection/report/reportMessages.ts";
import { createTranslate } from "../../l10n.ts";
import { keepFocus } from "./focus.ts";
import { ReportPage } from "./reportPage.tsx";

function startPage(root: HTMLElement): void {
  const editor = acquireVsCodeApi();
  const post = (message: FromReportPage): void => editor.postMessage(message);
  const onAction = (id: string): void => post({ type: "action", id });
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = readReportMessage(data);
    if (message === undefined) return;
    const t = createTranslate(message.translations);
    keepFocus(root, () => render(<ReportPage report={message.report} t={t} onAction={onAction} />, root));
  });
  post({ type: "ready" });
}

const root = document.getElementById("root");
if (root !== null) {
  startPage(root);
}
