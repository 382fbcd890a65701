import type { FromWebview, ToWebview } from "../chat/panelProtocol.ts";

/** The extension, as the page sees it. */
export interface Host {
  post(message: FromWebview): void;
  listen(listener: (message: ToWebview) => void): void;
  /** What the editor keeps for the page while it is hidden and across reloads. */
  readonly keptDraft: string | undefined;
  keepDraft(draft: string): void;
}

interface KeptState {
  readonly draft: string;
}

/** To be called once: the editor hands its interface out a single time. */
export function connectHost(): Host {
  const editor = acquireVsCodeApi<KeptState>();
  return {
    post: (message) => editor.postMessage(message),
    listen: (listener) =>
      window.addEventListener("message", ({ data }: MessageEvent<ToWebview>) => listener(data)),
    keptDraft: editor.getState()?.draft,
    keepDraft: (draft) => editor.setState({ draft }),
  };
}
