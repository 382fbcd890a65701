import type { ConnectionObserver } from "./connectionRecorder.ts";
import { createEditorTransport } from "./editorTransport.ts";
import type { EditorFetch } from "./editorTransport.ts";
import type { Transport, TransportChoice, HttpRequest, HttpResponse, TimeLimits } from "../http/transport.ts";
import { createUndiciTransport } from "./undiciTransport.ts";
import type { NetworkSettings } from "./undiciTransport.ts";
import { isLoopback } from "../http/address.ts";
import { isUnconnected, NotConnectedError, toFailure } from "../failure/toFailure.ts";

/** Creates the selected transport. The observer sees connections of undici; VS Code's fetch does not report any. */
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

/**
 * Sends by the first transport or, if that cannot connect, once by the second. Remembers per origin which one worked. A
 * request that may have been sent is never repeated. The second is not used if only it accepts any certificate.
 */
export function createFallbackTransport(first: Transport, second: Transport): Transport {
  const bySecond = new Set<string>();

  const takesMore = (url: URL): boolean =>
    second.routeFor(url).anyCertificate && !first.routeFor(url).anyCertificate;

  // The second may have stopped verifying certificates since it worked.
  const goesBySecond = (url: URL): boolean => bySecond.has(url.origin) && !takesMore(url);

  const sendBySecond = async (...call: Parameters<Transport["send"]>): Promise<HttpResponse> => {
    const { origin } = call[0].url;
    try {
      const response = await second.send(...call);
      bySecond.add(origin);
      return response;
    } catch (error) {
      // The network may have changed, so the next request tries the first transport again.
      if (!call[2].aborted) bySecond.delete(origin);
      throw error;
    }
  };

  const send = async (message: HttpRequest, limits: TimeLimits, signal: AbortSignal) => {
    if (goesBySecond(message.url)) return sendBySecond(message, limits, signal);
    try {
      return await first.send(message, limits, signal);
    } catch (error) {
      // VS Code could send a request for this machine to its proxy, unencrypted.
      if (!(error instanceof NotConnectedError) || isLoopback(message.url.hostname)) throw error;
      // An attacker could block the first transport to receive the key through the second.
      if (takesMore(message.url)) throw error;
      signal.throwIfAborted();
      return sendBySecond(message, limits, signal).catch((other: unknown) => {
        // If the second did not connect either, the error of the first is more specific.
        throw isUnconnected(toFailure(other)) && !signal.aborted ? error : other;
      });
    }
  };

  return {
    send,
    routeFor: (url) => (goesBySecond(url) ? second : first).routeFor(url),
    close: async () => {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
