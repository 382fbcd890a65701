import type { ConnectionObserver } from "./connectionRecorder.ts";
import { createEditorTransport } from "./editorTransport.ts";
import type { EditorFetch } from "./editorTransport.ts";
import type { Transport, TransportChoice, HttpRequest, HttpResponse, TimeLimits } from "../http/transport.ts";
import { createUndiciTransport } from "./undiciTransport.ts";
import type { NetworkSettings } from "./undiciTransport.ts";
import { isLoopback } from "../http/address.ts";
import { isUnconnected, NotConnectedError, toFailure } from "../failure/toFailure.ts";

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

/**
 * Sends by the first transport, and where that could not connect, once by the second. The way that
 * worked is remembered per origin. A request that may have gone out is never sent again, and none goes by the second
 * where that alone takes any certificate.
 */
export function createFallbackTransport(first: Transport, second: Transport): Transport {
  const bySecond = new Set<string>();

  const takesMore = (url: URL): boolean =>
    second.routeFor(url).anyCertificate && !first.routeFor(url).anyCertificate;

  // Whether it verifies may have changed since it worked.
  const goesBySecond = (url: URL): boolean => bySecond.has(url.origin) && !takesMore(url);

  const sendBySecond = async (...call: Parameters<Transport["send"]>): Promise<HttpResponse> => {
    const { origin } = call[0].url;
    try {
      const response = await second.send(...call);
      bySecond.add(origin);
      return response;
    } catch (error) {
      // The network may have changed: the next request begins with the first way again.
      if (!call[2].aborted) bySecond.delete(origin);
      throw error;
    }
  };

  const send = async (message: HttpRequest, limits: TimeLimits, signal: AbortSignal) => {
    if (goesBySecond(message.url)) return sendBySecond(message, limits, signal);
    try {
      return await first.send(message, limits, signal);
    } catch (error) {
      // The editor could send what is meant for this machine, in clear text, to its proxy.
      if (!(error instanceof NotConnectedError) || isLoopback(message.url.hostname)) throw error;
      // Whoever stands in between can break the one way to be handed the key by the other.
      if (takesMore(message.url)) throw error;
      signal.throwIfAborted();
      return sendBySecond(message, limits, signal).catch((other: unknown) => {
        // Where the second did not connect either, the first names the reason more exactly.
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
