// Replaces `/trpc`: each procedure answers what the test specifies, and every call is recorded. The answers
// below have the types of the server's.
import type { Answers } from "../src/lib/api.ts";

type Fault = {
  fault: string;
  message?: string;
  status?: number;
  param?: string;
  retryAfterMs?: number;
};
type Reply = { data: unknown } | { error: Fault } | "offline";
type Answer = (input: unknown) => Reply | Promise<Reply>;

export type Call = { readonly path: string; readonly input: unknown };

export type StandIn = {
  readonly calls: readonly Call[];
  answer(path: string, answer: Answer): void;
};

/** `{ data }` or `{ error }`; a procedure without an answer fails with `internal_error`. */
export function answerApi(answers: Readonly<Record<string, Answer>>): StandIn {
  const known = new Map(Object.entries(answers));
  const calls: Call[] = [];
  const reply = async (path: string, input: unknown) => {
    calls.push({ path, input });
    const given = await (known.get(path)?.(input) ?? { error: { fault: "internal_error" } });
    if (given === "offline") throw new TypeError("fetch failed");
    return "data" in given ? { result: { data: given.data } } : { error: describe(given.error) };
  };
  const respond = async (target: string | URL | Request, init?: RequestInit) => {
    const url = new URL(target instanceof Request ? target.url : target, "http://localhost:3000");
    const paths = url.pathname.replace("/trpc/", "").split(",");
    const text = url.searchParams.get("input") ?? (init?.body ? String(init.body) : "{}");
    const inputs: Record<string, unknown> = JSON.parse(text);
    const body = await Promise.all(paths.map((path, index) => reply(path, inputs[String(index)])));
    return Response.json(body, { status: body.some((one) => "error" in one) ? 400 : 200 });
  };
  globalThis.fetch = Object.assign(respond, { preconnect: () => undefined });
  return { calls, answer: (path, answer) => void known.set(path, answer) };
}

function describe({ fault, message = "The server's message.", status = 400, ...rest }: Fault) {
  const data = { code: "BAD_REQUEST", httpStatus: status, fault, requestId: "req_test", ...rest };
  return { message, code: -32600, data };
}

const person = {
  id: "p1",
  email: "ada@example.com",
  name: "Ada",
  timeZone: "UTC",
  factors: [],
  operatorRole: null,
  verbs: [],
};

/** As the server presents them: everything. */
const ownerPermissions = {
  "account.read": "all",
  "account.change": "all",
  "account.own": "all",
  "members.read": "all",
  "members.change": "all",
  "projects.read": "all",
  "projects.change": "all",
  "keys.read": "all",
  "keys.change": "all",
  "budgets.read": "all",
  "budgets.change": "all",
  "guardrails.read": "all",
  "guardrails.change": "all",
  "management.read": "all",
  "management.change": "all",
  "usage.read": "all",
  "logs.read": "all",
  "prompts.read": "all",
  "files.read": "all",
  "files.change": "all",
  "playground.use": "all",
  "money.read": "all",
  "money.change": "all",
  "audit.read": "all",
  "webhooks.read": "all",
  "webhooks.change": "all",
} as const satisfies Required<NonNullable<Me["account"]>["permissions"]>;

export const signedIn = () => ({
  data: {
    person,
    accounts: [{ kind: "personal", slug: "u-1", name: "Ada", role: "owner" }],
    account: {
      id: "a1",
      kind: "personal",
      slug: "u-1",
      name: "Ada",
      role: "owner",
      factorsRequiredFrom: null,
      view: null,
      permissions: ownerPermissions,
    },
    viewedUntil: null,
    isInvited: false,
  } satisfies Unbranded<Me>,
});
export const signedOut = () => ({ data: null });

export const config = () => ({
  data: {
    productName: "Turnpike",
    supportEmail: "help@example.com",
    currency: "USD",
    minTopUpUsd: "5",
    maxTopUpUsd: "1000",
    topUpPresetsUsd: ["10", "25", "50", "100"],
    topUpMode: "sandbox",
    passwordMinLength: 12,
    signInProviders: [],
    development: false,
    terms: false,
    privacy: false,
    demo: false,
    receipts: true,
    prompts: false,
    files: true,
    apiBaseUrl: "http://localhost:3000/v1",
    maintenance: null,
  } satisfies Answers["config"]["public"],
});

export const wallet = () => ({
  data: {
    balanceUsd: "12.319",
    heldUsd: "0",
    creditLimitUsd: "0",
    agreedPrices: [],
    spendableUsd: "12.319",
    frozen: false,
    runwayDays: null,
    lowBalanceAlertUsd: null,
    funded: true,
  } satisfies Answers["wallet"]["summary"],
});

type Me = NonNullable<Answers["auth"]["me"]>;

/** Ids are plain text on the wire. */
type Unbranded<Value> = Value extends string
  ? Value extends `${infer Plain}`
    ? Plain
    : string
  : { [Name in keyof Value]: Unbranded<Value[Name]> };
