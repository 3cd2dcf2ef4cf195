// Everything for tests of signing in with providers: two real ones of OpenID Connect, a scripted GitHub, and browsers
// that go there and come back.

import {
  type OpenidPerson,
  type OpenidProvider,
  type ScriptedGithub,
  startOpenidProvider,
  startScriptedGithub,
} from "@turnpike/testing";
import { callerAt, cookieHeader, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import { finishAtProvider } from "./finish-at-provider.ts";
import type { ProviderSettings } from "./provider.ts";
import { startAtProvider } from "./start-at-provider.ts";

export type Browser = ReturnType<typeof callerAt>;

export type TestProviders = TestAuth & {
  readonly acme: OpenidProvider;
  /** Offered as `other`; its ID tokens contain the address. */
  readonly other: OpenidProvider;
  readonly github: ScriptedGithub;
  /** Someone whom the provider knows, by default Acme, with a verified address. */
  readonly addPerson: (more?: Partial<OpenidPerson>, at?: OpenidProvider) => Required<Person>;
  /** Sends a browser to a provider. */
  readonly start: (provider?: string, browser?: Browser) => Promise<Started>;
  /** A browser is back. */
  readonly finish: (browser: Browser, callback: URL, provider?: string) => Promise<Returned>;
  /** There and back at Acme. */
  readonly signIn: (subject: string) => Promise<Returned>;
};

type Person = Pick<OpenidPerson, "sub" | "email" | "email_verified">;
type Started = { readonly url: string; readonly browser: Browser };
export type Returned = Awaited<ReturnType<typeof finishAtProvider>> & {
  /** Why not, if it was refused. */
  readonly reason: string | undefined;
  readonly email: string | undefined;
  readonly personId: string | undefined;
};

export function settingsOf(id: string, { issuer, clientId, clientSecret }: OpenidProvider) {
  const kind: ProviderSettings["kind"] = "openid";
  return { id, name: id === "acme" ? "Acme" : id, kind, issuer, clientId, clientSecret };
}

let people = 0;

export async function openTestProviders(): Promise<TestProviders> {
  const acme = await startOpenidProvider();
  const redirectUri = "http://console.test/auth/callback/other";
  const other = await startOpenidProvider({ claimsInIdToken: true, redirectUri });
  const github = startScriptedGithub({ id: 1, login: "nobody", emails: [] });
  const { url: issuer, clientId, clientSecret } = github;
  const githubSettings = { id: "github", name: "GitHub", kind: "github", issuer } as const;
  const bed = await openTestAuth({
    providers: [
      settingsOf("acme", acme),
      settingsOf("other", other),
      { ...githubSettings, clientId, clientSecret },
    ],
  });
  const trip = openTrip(bed);
  return {
    ...bed,
    ...trip,
    acme,
    other,
    github,
    addPerson(more = {}, at = acme) {
      people += 1;
      const sub = more.sub ?? `subject-${people}`;
      const person = { sub, email: `known-${people}@example.com`, email_verified: true, ...more };
      at.people.set(sub, person);
      return person;
    },
    async signIn(subject) {
      const { url, browser } = await trip.start();
      return trip.finish(browser, await acme.signIn(url, subject));
    },
    async close() {
      await bed.close();
      await Promise.all([acme.close(), other.close(), github.close()]);
    },
  };
}

/** The way of a browser to a provider and back, with the options of `bed`. */
export function openTrip({ db, auth }: Pick<TestAuth, "db" | "auth">) {
  return {
    async start(provider = "acme", browser: Browser = callerAt("203.0.113.1")): Promise<Started> {
      const input = { provider, next: "/keys" };
      const { url, setCookies } = await startAtProvider(db, auth, browser, input);
      return { url, browser: withCookies(browser, setCookies) };
    },
    async finish(browser: Browser, callback: URL, provider = "acme"): Promise<Returned> {
      const authenticated = await auth.sessions.authenticate(browser.cookies);
      const query = callback.searchParams;
      const returning = { ...browser, authenticated };
      const finished = await finishAtProvider(db, auth, returning, { provider, query });
      const opened = await auth.sessions.authenticate(cookieHeader(finished.setCookies));
      const shown = new URL(finished.path, "http://console.test").searchParams;
      return {
        ...finished,
        reason: shown.get("refused") ?? undefined,
        email: opened?.person.email,
        personId: opened?.person.id,
      };
    },
  };
}

/** The browser with further cookies. */
export function withCookies(browser: Browser, setCookies: readonly string[]): Browser {
  const cookies = [browser.cookies, cookieHeader(setCookies)].filter(Boolean).join("; ");
  return { ...browser, cookies };
}
