// Bodies that claim to be events and do not arrive: they take up a bounded part of the memory, and what others send
// still gets through.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectFault, openConnection, type RawConnection } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import {
  openPoorAccount,
  type StripeServer,
  startStripeServer,
} from "../top-up/start-stripe-server.ts";

let server: StripeServer;
let body: string;

beforeAll(async () => {
  server = await startStripeServer({ TRUSTED_PROXIES: "127.0.0.1" });
  const { sessionId } = await server.begin(await openPoorAccount(server), "25");
  server.stripe.pay(sessionId);
  body = JSON.stringify(server.stripe.events.at(-1));
});
afterAll(() => server.close());

/** The beginning of a body of a mebibyte. */
async function beginBody(address: string): Promise<RawConnection> {
  const connection = await openConnection(Number(new URL(server.url).port));
  const head = [
    "POST /stripe/webhook HTTP/1.1",
    "host: localhost",
    "content-type: application/json",
    `x-forwarded-for: ${address}`,
    `content-length: ${1024 * 1024}`,
  ];
  connection.socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  return connection;
}

async function send(address: string): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    "stripe-signature": await server.stripe.sign(body),
    "x-forwarded-for": address,
  };
  return fetch(server.webhookUrl, { method: "POST", headers, body });
}

test("beyond eight mebibytes of a network events are refused until its bodies end, and those of others are stored", async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, () => beginBody("203.0.113.7")));
  const refused = await eventually("its room to be taken", async () => {
    const answer = await send("203.0.113.7");
    return answer.status === 503 && answer;
  });
  expect(refused.headers.get("retry-after")).toBe("2");
  await expectFault(refused, { status: 503, type: "server_error", code: "overloaded" });
  expect((await send("203.0.113.8")).status).toBe(200);

  for (const { socket } of slow) socket.destroy();
  await eventually(
    "its room to be free again",
    async () => (await send("203.0.113.7")).status === 200,
  );
});

test("a body that does not arrive within ten seconds is refused and frees its room", async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, () => beginBody("203.0.113.9")));
  for (const { closed } of slow) expect(await closed).toStartWith("HTTP/1.1 408 ");
  expect((await send("203.0.113.9")).status).toBe(200);
});
