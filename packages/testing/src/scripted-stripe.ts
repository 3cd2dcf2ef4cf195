// A scripted Stripe: the API that the server calls, the payment page, and webhooks signed with the SDK's own
// helper. A test decides what happens to a payment and which events arrive, when, how often and in which
// order; nothing is delivered by itself.

import Stripe from "stripe";
import { createStripeApi, readCall, refuse, type StripeCall } from "./scripted-stripe-api.ts";
import { createBooks, type Event, type StripeBooks } from "./scripted-stripe-objects.ts";
import { answerPayPage } from "./scripted-stripe-page.ts";
import { createPayments, type StripePayments } from "./scripted-stripe-payments.ts";

export type ScriptedStripeOptions = {
  /** Default false: keys and events of test mode. */
  readonly livemode?: boolean;
};

export type Delivery = {
  /** Where to, e.g. `http://127.0.0.1:3000/stripe/webhook`. */
  readonly url: string;
  readonly secret?: string;
  /** Seconds; default now. */
  readonly timestamp?: number;
  /** Sent instead of the signed text. */
  readonly body?: string;
};

export type ScriptedStripe = StripePayments & {
  /** Without a slash at the end: STRIPE_API_BASE. */
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The variables of a server that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly books: StripeBooks;
  /** Every call of the API, oldest first. */
  readonly calls: readonly StripeCall[];
  /** Every event so far, oldest first, delivered or not. */
  readonly events: readonly Event[];
  /** The value of `stripe-signature` for a body. */
  sign(body: string, secret?: string, timestamp?: number): Promise<string>;
  /** Sends one event once; returns the status. */
  deliver(event: Event, delivery: Delivery): Promise<number>;
  /** Every later event is sent as it happens; undefined stops that. */
  deliverTo(url: string | undefined): void;
  /** Resolves when everything that `deliverTo` sent has been answered. */
  delivered(): Promise<void>;
  /** Answers calls whose path matches with a status; the returned function stops that. */
  breakDown(status?: number, path?: RegExp): () => void;
  /** Rolls the secret key: both are accepted until `expireOld`. */
  rollKey(): { readonly secretKey: string; readonly expireOld: () => void };
  /** Holds the next answer whose path matches, with its current content, until it is released. */
  hold(path: RegExp): HeldAnswer;
  close(): Promise<void>;
};

export type HeldAnswer = {
  /** Resolves when such a call has arrived and its answer is being held. */
  readonly called: Promise<void>;
  readonly release: () => void;
};

const webhookPath = "/stripe/webhook";

export async function startScriptedStripe(
  options: ScriptedStripeOptions = {},
): Promise<ScriptedStripe> {
  const mode = options.livemode === true ? "live" : "test";
  const secretKey = `sk_${mode}_scripted000000000000000000`;
  const webhookSecret = "whsec_scripted0000000000000000000000";
  const books = createBooks(options.livemode ?? false);
  const accepted = new Set([secretKey]);
  const calls: StripeCall[] = [];
  const outages = new Set<{ status: number; path: RegExp }>();
  const holds = createHolds();
  const sending = new Set<Promise<unknown>>();
  let target: string | undefined;
  const { sign, deliver } = createSender(secretKey, webhookSecret);
  const payments = createPayments(books, (event) => {
    if (target === undefined) return;
    const sent = deliver(event, { url: target }).catch(() => 0);
    sending.add(sent);
    void sent.finally(() => sending.delete(sent));
  });
  const payUrl = (sessionId: string) => `${server.url.origin}/pay/${sessionId}`;
  const answer = createStripeApi({ books, payments, secretKey, payUrl });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/pay/")) {
        const session = books.sessions.get(pathname.slice("/pay/".length));
        const form = request.method === "POST" ? await request.formData() : undefined;
        return answerPayPage(session, payments, form?.get("action")?.toString());
      }
      const call = await readCall(request);
      calls.push(call);
      const outage = [...outages].find(({ path }) => path.test(call.path));
      if (outage !== undefined) {
        return json(refuse(outage.status, "api_error", "Scripted Stripe is out of order."));
      }
      const given = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
      if (!accepted.has(given)) {
        return json(refuse(401, "invalid_request_error", "Invalid API Key provided."));
      }
      const answered = json(answer(call));
      await holds.passage(call.path);
      return answered;
    },
  });
  return {
    ...payments,
    url: server.url.origin,
    secretKey,
    webhookSecret,
    environment: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: server.url.origin,
    },
    books,
    calls,
    events: books.events,
    sign,
    deliver,
    deliverTo(url) {
      target = url === undefined ? undefined : new URL(webhookPath, url).href;
    },
    async delivered() {
      while (sending.size > 0) await Promise.all(sending);
    },
    breakDown(status = 500, path = /^/) {
      const outage = { status, path };
      outages.add(outage);
      return () => outages.delete(outage);
    },
    rollKey() {
      const rolled = `sk_${mode}_rolled${accepted.size}00000000000000000000`;
      accepted.add(rolled);
      return { secretKey: rolled, expireOld: () => void accepted.delete(secretKey) };
    },
    hold: holds.hold,
    async close() {
      await server.stop(true);
    },
  };
}

function createHolds() {
  const waiting = new Set<{ path: RegExp; called: () => void; released: Promise<void> }>();
  return {
    async passage(path: string): Promise<void> {
      const hold = [...waiting].find((one) => one.path.test(path));
      if (hold === undefined) return;
      waiting.delete(hold);
      hold.called();
      await hold.released;
    },
    hold(path: RegExp): HeldAnswer {
      const called = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      waiting.add({ path, called: called.resolve, released: released.promise });
      return { called: called.promise, release: released.resolve };
    },
  };
}

type Sender = Pick<ScriptedStripe, "sign" | "deliver">;

function createSender(secretKey: string, webhookSecret: string): Sender {
  const { webhooks } = new Stripe(secretKey);

  function sign(body: string, secret = webhookSecret, timestamp?: number): Promise<string> {
    return webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret,
      ...(timestamp !== undefined && { timestamp }),
    });
  }

  async function deliver(event: Event, delivery: Delivery): Promise<number> {
    const body = JSON.stringify(event);
    const response = await fetch(delivery.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": await sign(body, delivery.secret, delivery.timestamp),
      },
      body: delivery.body ?? body,
    });
    await response.arrayBuffer();
    return response.status;
  }
  return { sign, deliver };
}

/** Tells the SDK not to retry: tests that need a retry trigger it themselves. */
function json({ status, body }: { readonly status: number; readonly body: object }): Response {
  const headers = { "request-id": `req_${status}`, "stripe-should-retry": "false" };
  return Response.json(body, { status, headers });
}
