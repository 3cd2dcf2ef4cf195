// How catalog entries for Azure OpenAI are read.
import { expect, test } from "bun:test";
import type { OpenaiProvider } from "@turnpike/providers";
import { mistakesOfProvider, readOneProvider } from "./read-provider.fixture.ts";

const resource = "https://my-resource.openai.azure.com";

test("a resource is addressed by Azure's v1 API, its key sent as api-key", () => {
  for (const baseUrl of [
    resource,
    `${resource}/`,
    `${resource}/openai`,
    `${resource}/openai/v1/`,
  ]) {
    const provider = readOneProvider(`{ id: azure, baseUrl: "${baseUrl}", apiKey: "k-1" }`);
    expect(provider).toMatchObject({
      id: "azure",
      kind: "openai-compatible",
      baseUrl: `${resource}/openai/v1`,
      credential: { scheme: "api-key", secret: "k-1" },
      azure: { form: "v1", apiVersion: undefined },
      quirks: { responses: "native", customTools: "native", tokenLimit: "max_completion_tokens" },
    } satisfies Partial<Record<keyof OpenaiProvider, unknown>>);
  }
});

test("with a dated version it is addressed by its deployments", () => {
  const entry = `{ id: eu, kind: azure, baseUrl: "${resource}", apiVersion: 2024-10-21, apiKey: k }`;
  expect(readOneProvider(entry)).toMatchObject({
    baseUrl: `${resource}/openai`,
    azure: { form: "deployments", apiVersion: "2024-10-21" },
    quirks: { responses: "none", customTools: "as_functions" },
  });
  const preview = entry.replace("2024-10-21", "preview");
  expect(readOneProvider(preview)).toMatchObject({ azure: { form: "v1", apiVersion: "preview" } });
});

test("a token of Entra is sent as bearer, and quirks can be set", () => {
  const entry = `{ id: azure, baseUrl: "${resource}", auth: bearer, apiKey: "\${TOKEN}", quirks: { responses: none } }`;
  expect(readOneProvider(entry, { TOKEN: "eyJ0" })).toMatchObject({
    credential: { scheme: "bearer", secret: "eyJ0" },
    quirks: { responses: "none", tokenLimit: "max_completion_tokens" },
  });
});

test("an application of Entra has a token endpoint of its tenant", () => {
  const entry = (host: string) =>
    `{ id: azure, baseUrl: "https://r.openai.${host}", entra: { tenantId: t, clientId: c, clientSecret: os.environ/S } }`;
  expect(readOneProvider(entry("azure.com"), { S: "secret-1" })).toMatchObject({
    credential: {
      scheme: "entra-client",
      tokenUrl: "https://login.microsoftonline.com/t/oauth2/v2.0/token",
      clientId: "c",
      clientSecret: "secret-1",
      scope: "https://cognitiveservices.azure.com/.default",
    },
  });
  expect(readOneProvider(entry("azure.us"), { S: "secret-1" })).toMatchObject({
    credential: {
      tokenUrl: "https://login.microsoftonline.us/t/oauth2/v2.0/token",
      scope: "https://cognitiveservices.azure.us/.default",
    },
  });
  expect(readOneProvider(entry("azure.com"))).toBe("provider azure is not set up: S is not set");
});

test("without its key in the environment it is absent, not wrong", () => {
  const entry = `{ id: azure, baseUrl: "${resource}" }`;
  expect(readOneProvider(entry)).toBe(
    "provider azure is not set up: AZURE_OPENAI_API_KEY is not set",
  );
});

test.each([
  ["{ id: azure, apiKey: k }", "baseUrl: is required: write https://RESOURCE.openai.azure.com"],
  [
    `{ id: azure, baseUrl: "${resource}/openai/deployments/gpt", apiKey: k }`,
    "baseUrl: must end with the resource: the deployment is the model of a route, api-version is apiVersion",
  ],
  [
    `{ id: azure, baseUrl: "${resource}?api-version=2024-10-21", apiKey: k }`,
    "baseUrl: must not contain a query or a fragment",
  ],
  [
    '{ id: azure, baseUrl: "http://my.azure.com", apiKey: k }',
    "baseUrl: is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true",
  ],
  [
    `{ id: azure, baseUrl: "${resource}", apiKey: k, apiVersion: newest }`,
    'apiVersion: must be a date like "2024-10-21", v1 or preview',
  ],
  [
    `{ id: eu, kind: azure, baseUrl: "${resource}" }`,
    "apiKey: is required: a key of the resource, a token with auth: bearer, or entra",
  ],
  [
    `{ id: azure, baseUrl: "${resource}", apiKey: k, entra: { tenantId: t, clientId: c, clientSecret: s } }`,
    "apiKey: must be omitted if entra is given",
  ],
  [
    `{ id: azure, baseUrl: "${resource}", entra: { tenantId: t, clientId: c, clientSecret: s, authority: "http://a.com" } }`,
    "entra.authority: is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true",
  ],
  [
    `{ id: azure, baseUrl: "${resource}", entra: { tenantId: a/b, clientId: c, clientSecret: s } }`,
    "entra.tenantId: must be a tenant's id or domain",
  ],
  [
    `{ id: azure, baseUrl: "${resource}", entra: { tenantId: .., clientId: c, clientSecret: s } }`,
    "entra.tenantId: must be a tenant's id or domain",
  ],
  [
    `{ id: azure, baseUrl: "${resource}", entra: { tenantId: t, clientId: " ", clientSecret: s } }`,
    "entra.clientId: must not be empty",
  ],
  [
    "{ id: openai, apiKey: k, apiVersion: v1 }",
    "apiVersion: is a field of providers of kind azure",
  ],
  [
    "{ id: anthropic, apiKey: k, quirks: { seed: seed } }",
    "quirks: seed is a quirk of providers of kind openai-compatible or azure",
  ],
])("%s is refused with what to write", (entry, mistake) => {
  expect(mistakesOfProvider(entry)).toEqual([`providers[0].${mistake}`]);
});
