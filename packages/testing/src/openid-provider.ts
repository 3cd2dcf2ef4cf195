// A real OpenID Connect provider (`oidc-provider`) on loopback, whose people a test makes up. Its sign-in page is one
// button for each person; `signIn` presses it as a browser would.

import { createServer } from "node:http";
import type Provider from "oidc-provider";

export type OpenidPerson = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly hd?: string;
};

export type OpenidProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By subject; a test adds and changes them. */
  readonly people: Map<string, OpenidPerson>;
  /** Further URIs that the client may send browsers back to. */
  readonly allowRedirect: (uri: string) => void;
  /** The variables of a server that offers it under the id. */
  readonly environment: (id: string, name: string) => Readonly<Record<string, string>>;
  /** Signs in at the provider; returns the URL that the browser is sent back to. */
  readonly signIn: (authorizationUrl: string, subject: string) => Promise<URL>;
  /** The person declines. */
  readonly decline: (authorizationUrl: string) => Promise<URL>;
  readonly close: () => Promise<void>;
};

type Options = {
  /** Default `127.0.0.1`. With `localhost` it is another site for a browser. */
  readonly hostname?: string;
  /** Default false: the address comes from the userinfo endpoint. */
  readonly claimsInIdToken?: boolean;
  readonly redirectUri?: string;
};

const clientId = "turnpike";

export async function startOpenidProvider(options: Options = {}): Promise<OpenidProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  const issuer = `http://${options.hostname ?? "127.0.0.1"}:${address.port}`;
  const clientSecret = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex");
  const people = new Map<string, OpenidPerson>();
  const redirects = new Set([options.redirectUri ?? "http://console.test/auth/callback/acme"]);
  const provider = await openProvider(issuer, { clientSecret, people, redirects, ...options });
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    const [, uid, action, subject = ""] =
      /^\/interaction\/([\w-]+)(?:\/(login|decline)(?:\/([^/?]+))?)?$/.exec(request.url ?? "") ??
      [];
    if (uid === undefined) return answer(request, response);
    if (action === undefined) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      return response.end(writePage(uid, people));
    }
    const accountId = decodeURIComponent(subject);
    const outcome = action === "login" ? { login: { accountId } } : { error: "access_denied" };
    await provider.interactionFinished(request, response, outcome);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    allowRedirect: (uri) => void redirects.add(uri),
    environment: (id, name) => ({
      OIDC_PROVIDERS: id,
      [`OIDC_${id.toUpperCase()}_NAME`]: name,
      [`OIDC_${id.toUpperCase()}_ISSUER`]: issuer,
      [`OIDC_${id.toUpperCase()}_CLIENT_ID`]: clientId,
      [`OIDC_${id.toUpperCase()}_CLIENT_SECRET`]: clientSecret,
    }),
    signIn: signInAtProvider,
    decline: (url) => follow(url, "decline"),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** For a provider of another process. */
export function signInAtProvider(authorizationUrl: string, subject: string): Promise<URL> {
  return follow(authorizationUrl, `login/${encodeURIComponent(subject)}`);
}

type Setup = Options & {
  readonly clientSecret: string;
  readonly people: OpenidProvider["people"];
  readonly redirects: ReadonlySet<string>;
};

async function openProvider(issuer: string, setup: Setup): Promise<Provider> {
  // Loaded where it is used: it complains about the runtime.
  const { default: OpenidServer } = await import("oidc-provider");
  const { clientSecret, people, redirects, claimsInIdToken = false } = setup;
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { x, y, d } = await crypto.subtle.exportKey("jwk", privateKey);
  const key = { kty: "EC", crv: "P-256", x, y, d, use: "sig", alg: "ES256" } as const;
  const provider = new OpenidServer(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirects],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [clientSecret] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified", "hd"],
      profile: ["name"],
    },
    conformIdTokenClaims: !claimsInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 3_600, Grant: 3_600, AccessToken: 600, IdToken: 600 },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ ...(people.get(sub) ?? { sub }) }),
    }),
    // Nobody is asked whether the client may know their address.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? "",
        accountId: oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri) => redirects.has(uri);
  return provider;
}

function writePage(uid: string, people: OpenidProvider["people"]): string {
  const links = [...people.values()].map(
    ({ sub, email }) =>
      `<p><a href="/interaction/${uid}/login/${encodeURIComponent(sub)}">${email ?? sub}</a></p>`,
  );
  return `<!doctype html><title>Sign in</title><h1>Who are you?</h1>${links.join("")}
<p><a href="/interaction/${uid}/decline">Decline</a></p>`;
}

/** Follows redirects with cookies, presses the button, and stops where the provider is left. */
async function follow(start: string, button: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  const { origin } = url;
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const header of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    const isPage = url.pathname.startsWith("/interaction/") && location === null;
    if (location === null && !isPage) throw new Error(`${url}: ${await response.text()}`);
    url = isPage ? new URL(`${url.pathname}/${button}`, url) : new URL(location ?? "", url);
    if (url.origin !== origin) return url;
  }
  throw new Error("The provider redirects without end.");
}
