import { render } from "preact";
import {
  type FromRequestsPage,
  readToRequestsPage,
  type ShownRequests,
  withAdded,
} from "../../chat/requests/requestTable.ts";
import { readReportMessage } from "../../connection/report/reportMessages.ts";
import { createTranslate } from "../../text/translate.ts";
import { ReportPage } from "./reportPage.tsx";
import { RequestsPage, type Selection, today } from "./requestsPage.tsx";

/** Shows a report or the requests, whichever the host posts. */
function startPage(root: HTMLElement): void {
  const editor = acquireVsCodeApi<Selection>();
  /** Whether the user was asked to clear the requests. The dialog takes the focus from the pressed button. */
  let isClearing = false;
  const post = (message: FromRequestsPage): void => {
    if (message.type === "action" && message.id === "clear") isClearing = true;
    editor.postMessage(message);
  };
  const onAction = (id: string): void => editor.postMessage({ type: "action", id });
  const onSelect = (selected: Selection): void => void editor.setState(selected);
  const selected = { ...today, ...editor.getState() };
  let requests: ShownRequests | undefined;
  let t = createTranslate();
  const drawRequests = (shown: ShownRequests): void => {
    requests = shown;
    const page = { requests: shown, t, post, selected, onSelect };
    preserveFocus(root, () => render(<RequestsPage {...page} />, root));
  };
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = readReportMessage(data) ?? readToRequestsPage(data);
    switch (message?.type) {
      case undefined:
        return;
      case "report": {
        const { report } = message;
        t = createTranslate(message.translations);
        preserveFocus(root, () => render(<ReportPage report={report} t={t} onAction={onAction} />, root));
        return;
      }
      case "requests":
        t = createTranslate(message.translations);
        drawRequests(message.requests);
        if (isClearing && message.requests.records.length === 0) focusFirstButton(root);
        isClearing = false;
        return;
      case "request-added":
        if (requests !== undefined) drawRequests(withAdded(requests, message.added));
    }
  });
  post({ type: "ready" });
}

/** Renders the page. If this removes the focused element, moves the focus to the first button or else the heading. */
function preserveFocus(root: HTMLElement, draw: () => void): void {
  const before = document.activeElement;
  const held = before instanceof HTMLElement && root.contains(before);
  draw();
  if (held && !before.isConnected) focusFirstButton(root);
}

function focusFirstButton(root: HTMLElement): void {
  (root.querySelector<HTMLElement>(".report-actions button") ?? root.querySelector("h1"))?.focus();
}

const root = document.getElementById("root");
if (root !== null) {
  startPage(root);
}
