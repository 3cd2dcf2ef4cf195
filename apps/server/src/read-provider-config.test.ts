// Sign-in providers in the environment: complete ones are read, and each mistake is reported by its variable.
import { expect, test } from "bun:test";
import { readProviderConfig } from "./read-provider-config.ts";

type Given = Readonly<Record<string, string>>;

function read(given: Given) {
  const mistakes: string[] = [];
  const variables = { GITHUB_URL: "https://github.com", OIDC_PROVIDERS: "", ...given };
  const providers = readProviderConfig(variables, given, mistakes);
  return { providers, mistakes };
}

const acme = {
  OIDC_PROVIDERS: "acme",
  OIDC_ACME_ISSUER: "https://login.acme.example/realms/main",
  OIDC_ACME_CLIENT_ID: "turnpike",
  OIDC_ACME_CLIENT_SECRET: "a secret",
};

test("GitHub, Google and others are offered in that order, once they have an id and a secret", () => {
  const { providers, mistakes } = read({
    ...acme,
    GOOGLE_CLIENT_ID: "google-id",
    GOOGLE_CLIENT_SECRET: "google-secret",
    GITHUB_CLIENT_ID: "github-id",
    GITHUB_CLIENT_SECRET: "github-secret",
    GITHUB_URL: "https://github.example.com/",
  });
  expect(mistakes).toEqual([]);
  expect(providers.map(({ id, name, kind, issuer }) => [id, name, kind, issuer])).toEqual([
    ["github", "GitHub", "github", "https://github.example.com"],
    ["google", "Google", "google", "https://accounts.google.com"],
    ["acme", "acme", "openid", "https://login.acme.example/realms/main"],
  ]);
  expect(read({}).providers).toEqual([]);
});

test.each<[Given, string]>([
  [{ GITHUB_CLIENT_ID: "a" }, "GITHUB_CLIENT_SECRET: is required with GITHUB_CLIENT_ID."],
  [{ GOOGLE_CLIENT_SECRET: "a" }, "GOOGLE_CLIENT_ID: is required with GOOGLE_CLIENT_SECRET."],
  [{ GITHUB_URL: "http://github.example.com" }, "GITHUB_URL: must be an https URL"],
  [{ ...acme, OIDC_ACME_ISSUER: "http://acme.example" }, "OIDC_ACME_ISSUER: must be an https URL"],
  [{ ...acme, OIDC_ACME_CLIENT_SECRET: "" }, "OIDC_ACME_CLIENT_SECRET: is required, because"],
  [{ ...acme, OIDC_ACME_NAME: "x".repeat(41) }, "OIDC_ACME_NAME: must have at most 40"],
  [{ ...acme, OIDC_PROVIDERS: "acme,acme" }, "OIDC_PROVIDERS: acme is not an id"],
  [{ OIDC_PROVIDERS: "Acme Inc" }, "OIDC_PROVIDERS: Acme Inc is not an id"],
  [{ OIDC_PROVIDERS: "google" }, "OIDC_PROVIDERS: google is not an id"],
])("%j is a mistake that names its variable", (given, mistake) => {
  const { mistakes } = read(given);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toStartWith(mistake);
});

test("plain http is allowed on loopback", () => {
  const given = { ...acme, OIDC_ACME_ISSUER: "http://127.0.0.1:4000" };
  expect(read(given).mistakes).toEqual([]);
});
