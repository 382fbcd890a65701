import { createEditorTransport, type EditorFetch } from "./editorTransport.ts";
import { createFallbackTransport } from "./fallbackTransport.ts";
import type { Transport, TransportChoice } from "./transport.ts";
import { createUndiciTransport, type NetworkSettings } from "./undiciTransport.ts";

/** The transport that the user chose. Certificates are read here, so not before something is sent. */
export function createTransport(
  choice: TransportChoice,
  settings: NetworkSettings,
  fetch: EditorFetch,
): Transport {
  switch (choice) {
    case "undici":
      return createUndiciTransport(settings);
    case "editor":
      return createEditorTransport(fetch);
    case "auto":
      return createFallbackTransport(createUndiciTransport(settings), createEditorTransport(fetch));
  }
}
