import type { Transport } from "../../../src/client/http/transport.ts";

/** Tells a server how far the client has read. A cut after that point cannot race with the client. */
export class Heard {
  head = Promise.withResolvers<void>();
  body = Promise.withResolvers<void>();

  reset(): void {
    this.head = Promise.withResolvers<void>();
    this.body = Promise.withResolvers<void>();
  }

  listenTo(transport: Transport): Transport {
    const noteBody = async function* (this: Heard, pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        this.body.resolve();
        yield piece;
      }
    }.bind(this);
    return {
      ...transport,
      send: async (...call) => {
        const response = await transport.send(...call);
        this.head.resolve();
        return { ...response, body: noteBody(response.body) };
      },
    };
  }
}
