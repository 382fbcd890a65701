import type { ConnectionObserver } from "./connectionRecorder.ts";
import { createEditorTransport, type EditorFetch } from "./editorTransport.ts";
import { createFallbackTransport } from "./fallbackTransport.ts";
import type { Transport, TransportChoice } from "../http/transport.ts";
import { createUndiciTransport, type NetworkSettings } from "./undiciTransport.ts";

/**
 * The transport that the user chose. Certificates are read here, so not before something is sent.
 * The observer hears of our own connections; the editor's fetch tells nothing of its.
 */
export function createTransport(
  choice: TransportChoice,
  settings: NetworkSettings,
  fetch: EditorFetch,
  observer?: ConnectionObserver,
): Transport {
  const createEditors = (): Transport => createEditorTransport(fetch, settings.fetchTakesAnyCertificate);
  switch (choice) {
    case "undici":
      return createUndiciTransport(settings, observer);
    case "editor":
      return createEditors();
    case "auto":
      return createFallbackTransport(createUndiciTransport(settings, observer), createEditors());
  }
}
