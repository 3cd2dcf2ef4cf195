// Events that Stripe did not just sign for this endpoint: refused with the right status, nothing
// stored, nothing credited, and no reason given.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { asObject, expectCleanBooks, readMoney, type TestAccount } from "../harness/index.ts";
import {
  openPoorAccount,
  type StripeServer,
  startStripeServer,
} from "../top-up/start-stripe-server.ts";

let server: StripeServer;
let account: TestAccount;
let body: string;

beforeAll(async () => {
  server = await startStripeServer();
  account = await openPoorAccount(server);
  const { sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  body = JSON.stringify(server.stripe.events.at(-1));
});
afterEach(async () => {
  const [row] = await server.owner.sql<
    { n: number }[]
  >`select count(*)::int as n from stripe_inbox`;
  expect(row?.n).toBe(0);
  expect((await readMoney(server, account.id)).balanceNanos).toBe(0n as never);
  await expectCleanBooks(server);
});
afterAll(() => server.close());

type Sent = {
  readonly body: string | Uint8Array;
  readonly signature?: string;
  readonly type?: string;
};

async function post({ body, signature, type = "application/json; charset=utf-8" }: Sent) {
  const response = await fetch(server.webhookUrl, {
    method: "POST",
    headers: {
      "content-type": type,
      ...(signature !== undefined && { "stripe-signature": signature }),
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const now = () => Math.floor(Date.now() / 1000);
const sign = (text: string, secret?: string, at?: number) => server.stripe.sign(text, secret, at);
/** An HMAC that anyone can compute. */
function signWithNothing(text: string): string {
  const at = now();
  const mac = new Bun.CryptoHasher("sha256", "").update(`${at}.${text}`).digest("hex");
  return `t=${at},v1=${mac}`;
}
const changed = (changes: object) => JSON.stringify({ ...JSON.parse(body), ...changes });

/** Signed, so that only their format is wrong. */
function oddEvents(
  oddities: Readonly<Record<string, object>>,
): Readonly<Record<string, () => Promise<Sent>>> {
  const odd = Object.entries(oddities).map(([name, changes]) => [
    `signed, but with ${name}`,
    async () => ({ body: changed(changes), signature: await sign(changed(changes)) }),
  ]);
  return Object.fromEntries(odd);
}

const forgeries: Readonly<Record<string, () => Promise<Sent>>> = {
  unsigned: async () => ({ body }),
  "an empty signature": async () => ({ body, signature: "" }),
  garbage: async () => ({ body, signature: "t=,v1=,,=" }),
  "the wrong secret": async () => ({
    body,
    signature: await sign(body, "whsec_somebodyelse00000000"),
  }),
  "an empty secret": async () => ({ body, signature: signWithNothing(body) }),
  "replayed after five minutes": async () => ({
    body,
    signature: await sign(body, undefined, now() - 301),
  }),
  "dated an hour ahead": async () => ({
    body,
    signature: await sign(body, undefined, now() + 3_600),
  }),
  "only the old scheme": async () => ({
    body,
    signature: (await sign(body)).replace("v1=", "v0="),
  }),
  "the signature of another body": async () => ({
    body: body.replace("2500", "9900"),
    signature: await sign(body),
  }),
  "serialized again": async () => ({
    body: JSON.stringify(JSON.parse(body), null, 1),
    signature: await sign(body),
  }),
  "a byte order mark before what was signed": async () => ({
    body: `\ufeff${body}`,
    signature: await sign(body),
  }),
  "signed with the byte order mark, sent without it": async () => ({
    body,
    signature: await sign(`\ufeff${body}`),
  }),
  "bytes that are not text": async () => ({
    body: Buffer.concat([Buffer.from(body), Buffer.from([0xff])]),
    signature: await sign(`${body}\ufffd`),
  }),
  "live mode": async () => {
    const other = changed({ livemode: true });
    return { body: other, signature: await sign(other) };
  },
  "another account": async () => {
    const other = changed({ account: "acct_somebodyelse" });
    return { body: other, signature: await sign(other) };
  },
  ...oddEvents({
    "an id with a NUL": { id: "evt_\0" },
    "an empty id": { id: "" },
    "an id of 300 characters": { id: `evt_${"x".repeat(300)}` },
    "a type with a NUL": { type: "checkout.session.completed\0" },
    "a lone surrogate": { type: "\ud800" },
    "a date beyond the range of dates": { created: 1e15 },
    "a date before 1970": { created: -62_135_596_800 },
    "a fraction of a second": { created: 1.5 },
    "no object": { data: { object: null } },
    "no data": { data: null },
  }),
  "signed, but null": async () => ({ body: "null", signature: await sign("null") }),
  "signed, but a number": async () => ({ body: "1", signature: await sign("1") }),
  "signed, but not an event": async () => ({ body: "[]", signature: await sign("[]") }),
  "signed, but not JSON": async () => ({ body: "{", signature: await sign("{") }),
  "signed, but nothing": async () => ({ body: "", signature: await sign("") }),
};

test.each(Object.keys(forgeries))("%s: 400 and nothing happens", async (name) => {
  const sent = await forgeries[name]?.();
  if (sent === undefined) throw new Error("no such case");
  const { status, text } = await post(sent);
  expect(status).toBe(400);
  const error = asObject(asObject(JSON.parse(text)).error);
  expect(error.message).toMatch(/^(The signature of this event is not valid|This event|This is)/);
  expect(text).not.toContain("whsec");
  expect(text).not.toContain("cs_test");
});

test("more than a mebibyte is refused unread", async () => {
  const { status } = await post({ body: " ".repeat(1024 * 1024 + 1), signature: "t=1,v1=0" });
  expect(status).toBe(413);
});

test("a body whose type is not JSON is refused", async () => {
  const { status } = await post({ body, signature: await sign(body), type: "text/plain" });
  expect(status).toBe(415);
});

test("a GET of the endpoint reveals nothing", async () => {
  const response = await fetch(server.webhookUrl);
  expect(response.status).toBeOneOf([404, 405]);
});
