// The endpoints of Stripe's API that a payment by Checkout needs: authentication, idempotency keys,
// expansion and paging as Stripe does them, errors in Stripe's shape.

import { type Form, parseForm, textAt, textsAt } from "./parse-form.ts";
import {
  newStripeId,
  nowSeconds,
  type Session,
  type StripeBooks,
} from "./scripted-stripe-objects.ts";
import type { StripePayments } from "./scripted-stripe-payments.ts";

export type StripeCall = {
  readonly method: string;
  /** Without `/v1`. */
  readonly path: string;
  readonly form: Form;
  readonly idempotencyKey: string | undefined;
  readonly version: string | undefined;
  /** What the SDK reports about its earlier calls. */
  readonly telemetry: string | undefined;
};

export type StripeAnswer = { readonly status: number; readonly body: object };

export type StripeAccount = {
  readonly books: StripeBooks;
  readonly payments: StripePayments;
  readonly secretKey: string;
  /** Where the browser pays for a session. */
  readonly payUrl: (sessionId: string) => string;
};

type Remembered = { readonly request: string; readonly answer: StripeAnswer };

const earliestExpirySeconds = 30 * 60;
const latestExpirySeconds = 24 * 3_600;

/** Reads the call once; the body of a POST is its form. */
export async function readCall(request: Request): Promise<StripeCall> {
  const url = new URL(request.url);
  const text = request.method === "POST" ? await request.text() : url.search.slice(1);
  return {
    method: request.method,
    path: url.pathname.replace(/^\/v1/, ""),
    form: parseForm(text),
    idempotencyKey: request.headers.get("idempotency-key") ?? undefined,
    version: request.headers.get("stripe-version") ?? undefined,
    telemetry: request.headers.get("x-stripe-client-telemetry") ?? undefined,
  };
}

/** A repeated idempotency key gets the same answer as before; with another body it is refused. */
export function createStripeApi(account: StripeAccount): (call: StripeCall) => StripeAnswer {
  const remembered = new Map<string, Remembered>();
  return (call) => {
    const key = call.method === "POST" ? call.idempotencyKey : undefined;
    if (key === undefined) return route(account, call);
    const request = JSON.stringify([call.path, call.form]);
    const before = remembered.get(key);
    if (before?.request === request) return before.answer;
    if (before !== undefined) {
      return refuse(400, "idempotency_error", "Keys can only be used with the same parameters.");
    }
    const answer = structuredClone(route(account, call));
    if (isRemembered(call, answer)) remembered.set(key, { request, answer });
    return answer;
  };
}

/** What began to be executed, also where it was refused then; a mistake in the parameters can be sent again. */
function isRemembered({ path }: StripeCall, { status }: StripeAnswer): boolean {
  return status === 200 || status === 402 || (status === 400 && path === "/refunds");
}

export function refuse(status: number, type: string, message: string, code?: string): StripeAnswer {
  return { status, body: { error: { type, message, ...(code !== undefined && { code }) } } };
}

function route(account: StripeAccount, call: StripeCall): StripeAnswer {
  const { books } = account;
  const [collection = "", first, second] = call.path.replace("/checkout/", "/").slice(1).split("/");
  if (call.method === "POST") {
    if (collection === "customers" && first === undefined) return createCustomer(books, call.form);
    if (collection === "customers" && first !== undefined) {
      return updateCustomer(books, first, call.form);
    }
    if (collection === "refunds" && first === undefined) return createRefund(account, call.form);
    if (collection === "payment_intents" && first === undefined) {
      return chargeCard(account, call.form);
    }
    if (collection === "payment_methods" && first !== undefined && second === "detach") {
      return detachCard(books, first);
    }
    if (collection !== "sessions") return unknown(call);
    if (first === undefined) return createSession(account, call.form);
    return second === "expire" ? expireSession(account, first) : unknown(call);
  }
  const objects = collectionOf(books, collection);
  if (objects === undefined) return unknown(call);
  if (first === undefined) return list(objects, call);
  const found = objects.find(({ id }) => id === first);
  return found === undefined ? missing(first) : { status: 200, body: expand(books, found, call) };
}

type Listed = { readonly id: string; readonly created: number };

function collectionOf(books: StripeBooks, name: string): readonly Listed[] | undefined {
  const collections: Readonly<Record<string, Iterable<Listed>>> = {
    sessions: books.sessions.values(),
    payment_intents: books.intents.values(),
    charges: books.charges.values(),
    refunds: books.refunds.values(),
    disputes: books.disputes.values(),
    customers: books.customers.values(),
    events: books.events,
    webhook_endpoints: books.endpoints,
  };
  const found = Object.hasOwn(collections, name) ? collections[name] : undefined;
  return found && [...found];
}

function list(objects: readonly Listed[], { form, path }: StripeCall): StripeAnswer {
  const types = Object.values(textsAt(form, "types"));
  const since = Number(textAt(form, "created", "gte") ?? 0);
  const filters = ["payment_intent", "charge", "customer"] as const;
  const matching = objects.filter((object) => {
    const facts: Record<string, unknown> = { ...object };
    const isAsked = filters.every((name) => {
      const wanted = textAt(form, name);
      return wanted === undefined || facts[name] === wanted;
    });
    const isOfType = types.length === 0 || types.includes(String(facts.type));
    return isAsked && isOfType && object.created >= since;
  });
  const newestFirst = matching.toReversed();
  const after = textAt(form, "starting_after");
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
  const limit = Number(textAt(form, "limit") ?? 10);
  const data = newestFirst.slice(start, start + limit);
  const has_more = start + limit < newestFirst.length;
  return { status: 200, body: { object: "list", url: `/v1${path}`, has_more, data } };
}

function expand(books: StripeBooks, object: Listed, { form }: StripeCall): object {
  const wanted = Object.values(textsAt(form, "expand"));
  if (wanted.includes("payment_method") && "payment_method" in object) {
    const method = books.paymentMethods.get(String(object.payment_method));
    return { ...object, payment_method: method ?? object.payment_method };
  }
  if (!wanted.includes("payment_intent") || !("payment_intent" in object)) return object;
  const intent = books.intents.get(String(object.payment_intent));
  if (intent === undefined) return object;
  const method = books.paymentMethods.get(intent.payment_method ?? "");
  return { ...object, payment_intent: { ...intent, payment_method: method ?? null } };
}

function createCustomer(books: StripeBooks, form: Form): StripeAnswer {
  const customer = {
    id: newStripeId("cus"),
    object: "customer" as const,
    email: textAt(form, "email") ?? null,
    livemode: books.livemode,
    metadata: textsAt(form, "metadata"),
    created: nowSeconds(),
  };
  books.customers.set(customer.id, customer);
  return { status: 200, body: customer };
}

function updateCustomer(books: StripeBooks, id: string, form: Form): StripeAnswer {
  const customer = books.customers.get(id);
  if (customer === undefined) return missing(id);
  customer.email = textAt(form, "email") ?? customer.email;
  return { status: 200, body: customer };
}

function createSession({ books, payUrl }: StripeAccount, form: Form): StripeAnswer {
  const customer = textAt(form, "customer") ?? null;
  if (customer !== null && !books.customers.has(customer)) return missing(customer);
  const amount = Number(textAt(form, "line_items", "0", "price_data", "unit_amount"));
  const quantity = Number(textAt(form, "line_items", "0", "quantity") ?? 1);
  if (!Number.isInteger(amount) || amount < 50) {
    return refuse(400, "invalid_request_error", "The amount is too small.", "amount_too_small");
  }
  const created = nowSeconds();
  const expires = Number(textAt(form, "expires_at") ?? created + latestExpirySeconds);
  if (expires < created + earliestExpirySeconds || expires > created + latestExpirySeconds) {
    return refuse(400, "invalid_request_error", "expires_at must be 30 minutes to 24 hours ahead.");
  }
  const id = newStripeId(books.livemode ? "cs_live" : "cs_test");
  const session: Session = {
    id,
    object: "checkout.session",
    mode: textAt(form, "mode") ?? "",
    status: "open",
    payment_status: "unpaid",
    amount_total: amount * quantity,
    currency: textAt(form, "line_items", "0", "price_data", "currency") ?? "",
    livemode: books.livemode,
    customer,
    client_reference_id: textAt(form, "client_reference_id") ?? null,
    metadata: textsAt(form, "metadata"),
    payment_intent: null,
    saves_card: textAt(form, "payment_intent_data", "setup_future_usage") === "off_session",
    success_url: textAt(form, "success_url") ?? "",
    cancel_url: textAt(form, "cancel_url") ?? null,
    url: payUrl(id),
    created,
    expires_at: expires,
  };
  books.sessions.set(id, session);
  return { status: 200, body: session };
}

function chargeCard({ books, payments }: StripeAccount, form: Form): StripeAnswer {
  const customer = textAt(form, "customer") ?? "";
  const paymentMethodId = textAt(form, "payment_method") ?? "";
  if (books.paymentMethods.get(paymentMethodId)?.customer !== customer) {
    return missing(paymentMethodId);
  }
  if (textAt(form, "off_session") !== "true" || textAt(form, "confirm") !== "true") {
    return refuse(400, "invalid_request_error", "Only charges of absent payers are scripted.");
  }
  const intent = payments.charge({
    amount: Number(textAt(form, "amount")),
    currency: textAt(form, "currency") ?? "",
    customer,
    metadata: textsAt(form, "metadata"),
    paymentMethodId,
  });
  const error = intent.last_payment_error;
  if (error === null) return { status: 200, body: intent };
  return { status: 402, body: { error: { ...error, payment_intent: intent } } };
}

function detachCard(books: StripeBooks, id: string): StripeAnswer {
  const method = books.paymentMethods.get(id);
  if (method === undefined) return missing(id);
  method.customer = null;
  return { status: 200, body: method };
}

function createRefund({ books, payments }: StripeAccount, form: Form): StripeAnswer {
  const intentId = textAt(form, "payment_intent") ?? "";
  const charge = [...books.charges.values()].find((one) => one.payment_intent === intentId);
  if (charge === undefined) return missing(intentId);
  const cents = Number(textAt(form, "amount") ?? charge.amount);
  if (!(cents > 0) || charge.amount_refunded + cents > charge.amount) {
    return refuse(400, "invalid_request_error", "Refund amount is greater than unrefunded amount.");
  }
  const id = payments.refund(intentId, cents);
  return { status: 200, body: books.refunds.get(id) ?? {} };
}

function expireSession({ books, payments }: StripeAccount, id: string): StripeAnswer {
  const session = books.sessions.get(id);
  if (session === undefined) return missing(id);
  if (session.status !== "open") {
    return refuse(400, "invalid_request_error", `Only open sessions expire; ${id} is not.`);
  }
  payments.expire(id);
  return { status: 200, body: session };
}

function missing(id: string): StripeAnswer {
  return refuse(404, "invalid_request_error", `No such object: '${id}'`, "resource_missing");
}

function unknown({ method, path }: StripeCall): StripeAnswer {
  return refuse(404, "invalid_request_error", `Unrecognized request URL (${method}: /v1${path}).`);
}
