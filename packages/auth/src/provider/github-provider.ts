// GitHub, which speaks OAuth without OpenID Connect: the numeric id of a user is the subject, and the primary address
// counts if GitHub has verified it. GitHub Enterprise Server has the same under its own address.

import {
  asFailure,
  configure,
  fetchJson,
  redeemCode,
  writeAuthorizationUrl,
} from "./oauth-client.ts";
import { parseStatedEmail } from "./parse-stated-email.ts";
import type { Provider, ProviderSettings } from "./provider.ts";

/** Mail to it reaches nobody. */
const hiddenAddress = /@users\.noreply\./;

export function openGithubProvider(settings: ProviderSettings): Provider {
  const { id, name, kind, issuer } = settings;
  const api = issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
  const configuration = configure(settings, {
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
  });
  return {
    id,
    name,
    kind,
    issuer,
    authorizationUrl: (secrets, { redirectUri, isAgain }) =>
      asFailure(() =>
        writeAuthorizationUrl(configuration, secrets, {
          redirect_uri: redirectUri,
          scope: "read:user user:email",
          ...(isAgain && { prompt: "select_account" }),
        }),
      ),
    redeem: ({ state, codeVerifier }, callback) =>
      asFailure(async () => {
        const secrets = { state, codeVerifier };
        const { accessToken } = await redeemCode(configuration, secrets, callback);
        const user = parseUser(await fetchJson(configuration, accessToken, `${api}/user`));
        const emails = await fetchJson(configuration, accessToken, `${api}/user/emails`);
        return { issuer, ...user, email: findAddress(emails), authenticatedAt: undefined };
      }),
  };
}

function parseUser(user: unknown): { readonly subject: string; readonly name: string } {
  const { id, name, login } = asRecord(user);
  if (typeof id !== "number" || !Number.isSafeInteger(id)) throw new Error("A user without an id.");
  return {
    subject: String(id),
    name: [name, login].find((text) => typeof text === "string") ?? "",
  };
}

function findAddress(emails: unknown): string | undefined {
  const list = Array.isArray(emails) ? emails.map(asRecord) : [];
  const found = list.find(({ primary, verified }) => primary === true && verified === true);
  const email = parseStatedEmail(found?.email);
  return email === undefined || hiddenAddress.test(email) ? undefined : email;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
