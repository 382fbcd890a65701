import type { BrowserContext } from "playwright-core";
import * as v from "valibot";

/** A message between the workbench and a webview as JSON text, or a text written to the clipboard. */
export interface RecordedMessage {
  readonly direction: "to-webview" | "from-webview" | "to-clipboard";
  readonly text: string;
}

const recordedCall = v.tuple([v.string()]);

/** Message ports carry everything between the page of the workbench and the outer frame of a webview. */
const recordingScript = `
  (() => {
    const record = globalThis.recordWebviewMessage;
    const post = MessagePort.prototype.postMessage;
    const asText = (value) => {
      const seen = new Set();
      return JSON.stringify(value, (key, each) => {
        if (each instanceof ArrayBuffer) return new TextDecoder().decode(each);
        if (ArrayBuffer.isView(each)) return new TextDecoder().decode(each);
        if (typeof each === "object" && each !== null) {
          if (seen.has(each)) return undefined;
          seen.add(each);
        }
        return each;
      });
    };
    MessagePort.prototype.postMessage = function (message, ...rest) {
      if (typeof message?.channel === "string") record(asText(message)).catch(() => undefined);
      return post.call(this, message, ...rest);
    };
    const write = Clipboard.prototype.writeText;
    Clipboard.prototype.writeText = function (text) {
      globalThis.recordClipboardWrite(text).catch(() => undefined);
      return write.call(this, text);
    };
    const writeItems = Clipboard.prototype.write;
    Clipboard.prototype.write = function (items) {
      for (const item of items) {
        for (const type of item.types) {
          item.getType(type).then((blob) => blob.text()).then(globalThis.recordClipboardWrite).catch(() => undefined);
        }
      }
      return writeItems.call(this, items);
    };
  })();
`;

/**
 * Records all messages to and from webviews from now on, including their HTML, and all copied texts. Must be
 * called before the workbench is opened.
 */
export async function recordWebviewMessages(context: BrowserContext): Promise<readonly RecordedMessage[]> {
  const messages: RecordedMessage[] = [];
  await context.exposeBinding("recordWebviewMessage", ({ frame, page }, ...call: unknown[]) => {
    const [text] = v.parse(recordedCall, call);
    messages.push({ direction: frame === page.mainFrame() ? "to-webview" : "from-webview", text });
  });
  await context.exposeBinding("recordClipboardWrite", (_source, ...call: unknown[]) => {
    const [text] = v.parse(recordedCall, call);
    messages.push({ direction: "to-clipboard", text });
  });
  await context.addInitScript(recordingScript);
  return messages;
}
