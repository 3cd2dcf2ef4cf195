// A browser as the console's API sees it: keeps cookies, sends fetch metadata, and reads the development
// inbox.
import type { Connection } from "@turnpike/db";
import { asObject, at } from "../harness/index.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** `result.data`, or undefined after a refusal. */
  readonly data: unknown;
  /** `error`, or undefined. */
  readonly error: unknown;
  /** The body as received. */
  readonly text: string;
};

export type Browser = {
  readonly query: (name: string, input?: unknown) => Promise<Answer>;
  readonly mutate: (name: string, input?: unknown) => Promise<Answer>;
  /** Cookies by name, as they would be sent. */
  readonly cookies: Map<string, string>;
};

export function openBrowser(url: string, extraHeaders: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${url}/trpc/${path}`, {
      ...init,
      headers: {
        "sec-fetch-site": "same-origin",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
        ...(cookie !== "" && { cookie }),
        ...(init.method === "POST" && { "content-type": "application/json" }),
        ...extraHeaders,
      },
    });
    for (const header of response.headers.getSetCookie()) keepCookie(cookies, header);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, ...readOutcome(text) };
  };
  return {
    cookies,
    query: (name, input) =>
      ask(
        input === undefined ? name : `${name}?input=${encodeURIComponent(JSON.stringify(input))}`,
        {},
      ),
    mutate: (name, input) => ask(name, { method: "POST", body: JSON.stringify(input ?? {}) }),
  };
}

function keepCookie(cookies: Map<string, string>, header: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
  if (/;\s*Max-Age=0(;|$)/i.test(header)) cookies.delete(name);
  else cookies.set(name, value);
}

function readOutcome(text: string): { data: unknown; error: unknown } {
  const body: unknown = text === "" ? {} : JSON.parse(text);
  if (Array.isArray(body)) return { data: body, error: undefined };
  const { result, error } = asObject(body);
  return { data: result === undefined ? undefined : asObject(result).data, error };
}

/** The fault code of a refusal. */
export function faultOf(answer: Answer): unknown {
  return answer.error === undefined ? "no fault" : at(answer.error, "data.fault");
}

export type DevMail = { readonly kind: string; readonly subject: string; readonly text: string };

/** Mails to an address, newest first. */
export async function readMails(url: string, to: string): Promise<readonly DevMail[]> {
  const response = await fetch(`${url}/dev/mail.json?to=${encodeURIComponent(to)}`);
  const mails: unknown = await response.json();
  if (!Array.isArray(mails)) throw new Error("No list of mails.");
  return mails.map((mail) => {
    const { kind, subject, text } = asObject(mail);
    return { kind: String(kind), subject: String(subject), text: String(text) };
  });
}

/** The token in the newest mail of a kind. */
export async function tokenOf(url: string, to: string, kind: string): Promise<string> {
  return tokenIn((await readMails(url, to)).find((mail) => mail.kind === kind));
}

/** The token in the first link of a mail. */
export function tokenIn(mail: DevMail | undefined): string {
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`No token in ${JSON.stringify(mail)}.`);
  return token;
}

export const password = "correct horse battery staple";

/** Expires the step-up of every session of a person. */
export async function forgetProofs(owner: Connection, email: string): Promise<void> {
  await owner.sql`
    update sessions set password_at = now() - interval '10 minutes 1 second'
     where person_id = (select id from persons where email = ${email})`;
}

/** Registers, verifies and signs in. */
export async function signUp(browser: Browser, url: string, email: string): Promise<void> {
  await browser.mutate("auth.register", { email, password });
  const [mail] = await readMails(url, email);
  await browser.mutate("auth.verifyEmail", { token: tokenIn(mail), password });
  const answer = await browser.mutate("auth.login", { email, password });
  if (answer.status !== 200) throw new Error(answer.text);
}
