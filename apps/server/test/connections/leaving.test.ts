// Clients that disconnect in every possible way. The upstream call of a stream is ended, and the
// account pays for what was written to the client by then.
import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { openConnection, rawPost, scripted, startTestServer, useServer } from "../harness/index.ts";
import { oddCatalog, oddModel, priceOf } from "../money/odd-prices.ts";
import { awaitRequest, eventually } from "../money/read-requests.ts";

const { server, account } = await useServer(startTestServer({ catalog: oddCatalog }));

const waysToLeave: readonly (readonly [string, (socket: Socket) => unknown])[] = [
  ["resets its connection (RST)", (socket) => socket.resetAndDestroy()],
  ["closes its connection", (socket) => socket.destroy()],
  ["closes its half of the connection (FIN)", (socket) => socket.end()],
];

function requestOf(name: string, script: object): string {
  const headers = { authorization: `Bearer ${account.key}`, "user-agent": name };
  const messages = [scripted({ tag: name, ...script })];
  return rawPost("/v1/chat/completions", headers, { model: oddModel, messages, stream: true });
}

test.each(waysToLeave)(
  "FC2: a client that %s in the middle of a stream pays for what was relayed, and the upstream is cut",
  async (way, leave) => {
    const name = `middle, ${way}`;
    const { socket, waitFor } = await openConnection(server.port);
    socket.write(requestOf(name, { endless: true, paceMs: 2 }));
    const text = await waitFor((received) => received.split('" tok"').length > 10);
    const sent = await server.upstream.waitFor(({ tag }) => tag === name);
    leave(socket);
    expect(await sent.ended).toBe("gone");
    const row = await awaitRequest(server, name);
    expect(row).toMatchObject({ state: "settled", outcome: "client_closed" });
    const { promptTokens: prompt, completionTokens: completion } = row;
    expect(completion).toBeGreaterThanOrEqual(text.split('" tok"').length - 2);
    expect(completion).toBeLessThanOrEqual(sent.delivered.tokens);
    expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  },
);

test.each(waysToLeave)(
  "FC1, FC3: a client that %s before the status line pays nothing if the call is refused then",
  async (way, leave) => {
    const name = `before, ${way}`;
    const { socket, received } = await openConnection(server.port);
    socket.write(requestOf(name, { headGate: true, status: 503 }));
    const sent = await server.upstream.waitFor(({ tag }) => tag === name);
    leave(socket);
    const { background } = server.services.gateway;
    await eventually("the call to continue", async () => background.running === 1);
    server.upstream.open(name);
    expect(await sent.ended).toBe("answered");
    const row = await awaitRequest(server, name);
    expect(row).toMatchObject({ state: "released", outcome: "client_closed", chargedNanos: 0n });
    expect(received()).toBe("");
  },
);
