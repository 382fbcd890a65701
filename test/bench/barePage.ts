/** The chat page alone, in a browser: what is left when the editor is taken away. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import type { PanelSnapshot, ToWebview } from "../../src/chat/panelProtocol.ts";
import { emptyTranscript, type Transcript } from "../../src/chat/transcript.ts";
import { projectRoot } from "../support/paths.ts";
import { openBrowserSession } from "../support/workbench/browserSession.ts";
import { inPage } from "../support/workbench/inPage.ts";

const html = `<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="stylesheet" href="/dist/webview/chat.css">
<script>acquireVsCodeApi = () => ({ postMessage() {}, setState() {}, getState() {} });</script>
</head><body><div id="root"></div><script type="module" src="/dist/webview/chat.js"></script></body></html>`;

const postAll = inPage<void>(`(messages) => {
  for (const each of messages) window.postMessage(each, "*");
}`);

export interface BarePage extends AsyncDisposable {
  readonly page: Page;
  /** Hands messages over as the host does. */
  post(...messages: readonly ToWebview[]): Promise<void>;
}

/** Opens the built page, which must stand in dist/, with a conversation. */
export async function openBarePage(transcript: Transcript = emptyTranscript): Promise<BarePage> {
  await using started = new AsyncDisposableStack();
  const profile = await mkdtemp(path.join(tmpdir(), "bench-chat-"));
  started.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  const server = createServer((request, response) => {
    const name = (request.url ?? "/").slice(1);
    const type = name.endsWith(".js") ? "text/javascript" : name.endsWith(".css") ? "text/css" : "text/html";
    response.setHeader("content-type", type);
    if (name === "") {
      response.end(html);
      return;
    }
    readFile(path.join(projectRoot, path.normalize(`/${name}`))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.defer(() => server.close().closeAllConnections());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const context = await openBrowserSession({ profile, motion: true });
  started.defer(() => context.close());
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`http://127.0.0.1:${port}/`);
  const post = (...messages: readonly ToWebview[]): Promise<void> => page.evaluate(postAll, messages);
  await post({ type: "snapshot", snapshot: snapshotOf(transcript) });
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const owned = started.move();
  return { page, post, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export function snapshotOf(transcript: Transcript): PanelSnapshot {
  return {
    chatId: "00000000-0000-4000-8000-000000000000",
    transcript,
    header: {
      connection: "Bench",
      choosable: true,
      model: "service-core",
      clientStyle: "chat-completions",
      room: { maxTokens: 4096, charactersPerToken: 4 },
    },
    draft: "",
    edits: {},
    attachments: [],
    translations: {},
  };
}
