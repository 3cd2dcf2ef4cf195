// A person with an account, created through the server's public API: registered, verified by the emailed
// link, signed in, with funds. For tests that start after that.
import type { Environment } from "./environment.fixture.ts";

export const password = "correct horse battery staple";

export type Member = {
  readonly email: string;
  /** The session and the device, as a browser keeps them. */
  readonly cookies: () => readonly { readonly name: string; readonly value: string }[];
  readonly query: (procedure: string, input?: unknown) => Promise<Answer>;
  readonly mutate: (procedure: string, input?: unknown) => Promise<Answer>;
  /** Pays with the scripted Stripe; resolves once it is credited. */
  readonly addFunds: (usd: string) => Promise<void>;
  /** The same person in an organization. */
  readonly inAccount: (slug: string) => Member;
  readonly createKey: (name: string, limits?: object) => Promise<{ id: string; key: string }>;
};

/** The data of an answer; a refusal throws. */
type Answer = Readonly<Record<string, unknown>>;

let members = 0;

/** An address that is unique within this run. */
export function newEmail(): string {
  members += 1;
  return `person${members}@example.com`;
}

export async function joinAs(environment: Environment, email = newEmail()): Promise<Member> {
  const anonymous = openCaller(environment.url);
  await anonymous.mutate("auth.register", { email, password });
  const { text } = await environment.mails.waitFor(email);
  await anonymous.mutate("auth.verifyEmail", { token: tokenIn(text), password });
  return signIn(environment, email);
}

/** Another session of an existing account. */
export async function signIn(
  environment: Environment,
  email: string,
  secret = password,
): Promise<Member> {
  const caller = openCaller(environment.url);
  await caller.mutate("auth.login", { email, password: secret });
  return memberOf(environment, email, caller);
}

/** Somebody without an account, by the token of an invitation. */
export async function joinByInvitation(
  environment: Environment,
  email: string,
  token: string,
): Promise<Member> {
  const caller = openCaller(environment.url);
  const proof = { method: "password", password };
  await caller.mutate("invitations.register", { token, name: "", proof });
  return memberOf(environment, email, caller);
}

function memberOf(
  environment: Environment,
  email: string,
  caller: Omit<Caller, "query" | "mutate">,
  account?: string,
): Member {
  const { query, mutate } = caller.inAccount(account);
  return {
    email,
    query,
    mutate,
    cookies: caller.cookies,
    inAccount: (slug) => memberOf(environment, email, caller, slug),
    async addFunds(usd) {
      const attemptId = crypto.randomUUID();
      const { checkoutUrl } = await mutate("wallet.createTopUp", { amountUsd: usd, attemptId });
      environment.stripe.pay(String(checkoutUrl).split("/").at(-1) ?? "");
      while ((await query("wallet.topUp", { id: attemptId })).state !== "paid") await Bun.sleep(20);
    },
    async createKey(name, limits) {
      const input = { name, attemptId: crypto.randomUUID(), ...(limits && { limits }) };
      const { id, key } = await mutate("keys.create", input);
      return { id: String(id), key: String(key) };
    },
  };
}

export function tokenIn(text: string): string {
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`There is no token in this mail:\n${text}`);
  return token;
}

/** The first link of a mail. */
export function linkIn(text: string): string {
  const link = /https?:\/\/\S+token=[\w-]+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`There is no link in this mail:\n${text}`);
  return link;
}

type Caller = ReturnType<typeof openCaller>;

/** Calls the console's API as its pages do. */
function openCaller(url: string) {
  const jar = new Map<string, string>();
  const ask = async (path: string, init: RequestInit, account?: string): Promise<Answer> => {
    const response = await fetch(`${url}/trpc/${path}`, {
      ...init,
      headers: {
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        ...(account !== undefined && { "x-turnpike-account": account }),
      },
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      jar.set(name, value);
    }
    const body: unknown = await response.json();
    if (response.ok) return dataOf(body);
    throw new Error(`${path}: ${JSON.stringify(body)}`);
  };
  const inAccount = (account?: string) => ({
    query: (path: string, input: unknown = {}) =>
      ask(`${path}?input=${encodeURIComponent(JSON.stringify(input))}`, {}, account),
    mutate: (path: string, input: unknown = {}) =>
      ask(path, { method: "POST", body: JSON.stringify(input) }, account),
  });
  return {
    cookies: () => [...jar].map(([name, value]) => ({ name, value })),
    inAccount,
    ...inAccount(),
  };
}

/** tRPC wraps every successful answer in `result.data`. */
function dataOf(body: unknown): Answer {
  const { result } = body as { result: { data: Answer } };
  return result.data;
}
