// An upstream that answers each call with given bytes in given pieces: whatever comes out of the
// gateway was then produced by the gateway.
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export type Answer = {
  readonly stream: boolean;
  readonly pieces: readonly Uint8Array[];
  /** The connection is cut after the last piece. */
  readonly isCut: boolean;
};

/** `answerFor` is called with the number in the prompt of a call. */
export async function serveBytes(answerFor: (number: number) => Answer) {
  const server = createServer(async (request, response) => {
    const number = /case-(\d+) end/.exec(await text(request))?.[1];
    await send(response, answerFor(Number(number)));
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function send(response: ServerResponse, { stream, pieces, isCut }: Answer): Promise<void> {
  const type = stream ? "text/event-stream" : "application/json";
  response.writeHead(200, { "content-type": type });
  for (const piece of pieces) {
    response.write(piece);
    // A turn of the event loop, so that the pieces are sent one by one.
    await Bun.sleep(0);
  }
  if (isCut) response.destroy();
  else response.end();
}
