import { expect, test } from "bun:test";
import { knownProviders } from "@turnpike/providers";
import type { CatalogFile, ModelEntry } from "../model.ts";
import { CatalogError } from "./catalog-mistake.ts";
import { readCatalog } from "./read-catalog.ts";

const oneModel = `
models:
  - id: openai/gpt-4o-mini
    name: GPT-4o mini
    contextTokens: 128000
    maxOutputTokens: 16384
    capabilities: [tools, vision, json_schema]
    routes:
      - { provider: openai, model: gpt-4o-mini }
    prices: { input: "0.15", cachedInput: "0.075", output: "0.60" }
`;
const openai = `providers: [{ id: openai, apiKey: "\${OPENAI_API_KEY}" }]`;

function read(
  text: string,
  environment: Record<string, string> = {},
  allowPrivate = false,
): CatalogFile {
  return readCatalog(text, environment, { allowPrivate });
}

function mistakesOf(text: string, environment: Record<string, string> = {}): string[] {
  try {
    read(text, environment);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.mistakes.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

test("a model of a known provider is read with its prices in nano-dollars", () => {
  const file = read(openai + oneModel, { OPENAI_API_KEY: "sk-1" });
  expect(file.hidden).toEqual([]);
  expect(file.models).toEqual([
    {
      operation: "chat",
      id: "openai/gpt-4o-mini",
      name: "GPT-4o mini",
      description: "",
      created: new Date(0),
      contextTokens: 128_000,
      maxOutputTokens: 16_384,
      tokenizer: "bytes",
      imageTokens: 8_192,
      reasoning: "visible",
      templateTokens: 256,
      capabilities: ["tools", "vision", "json_schema"],
      routes: [
        {
          provider: {
            id: "openai",
            kind: "openai-compatible",
            baseUrl: "https://api.openai.com/v1",
            credential: { scheme: "bearer", secret: "sk-1" },
            cancelledStream: "billed_as_written",
            quirks: expect.objectContaining({ tokenLimit: "max_completion_tokens" }),
          },
          upstreamModel: "gpt-4o-mini",
          tier: 1,
        },
      ],
      rates: {
        inputNanosPerMillion: 150_000_000n,
        cachedInputNanosPerMillion: 75_000_000n,
        cacheWriteNanosPerMillion: 150_000_000n,
        outputNanosPerMillion: 600_000_000n,
      },
    },
  ]);
});

test("a model whose provider has no key is hidden, with the name of what is missing", () => {
  for (const provider of [openai, "providers: [{ id: openai }]"]) {
    for (const environment of [{}, { OPENAI_API_KEY: "" }]) {
      expect(read(provider + oneModel, environment)).toMatchObject({
        version: expect.stringMatching(/^[0-9a-f]{12}$/),
        models: [],
        hiddenRoutes: [],
        hidden: [
          {
            id: "openai/gpt-4o-mini",
            reason: "provider openai is not set up: OPENAI_API_KEY is not set",
          },
        ],
      });
    }
  }
});

test("a model keeps the routes that can be called", () => {
  const text = `${openai.replace("}]", "}, { id: groq }]")}${oneModel.replace(
    "    routes:\n",
    "    routes:\n      - { provider: groq, model: other }\n",
  )}`;
  const [model] = read(text, { OPENAI_API_KEY: "sk-1" }).models;
  expect(model?.routes.map((route) => route.provider.id)).toEqual(["openai"]);
});

test("both spellings of a variable are filled in, even inside an address", () => {
  const provider = (apiKey: string) =>
    `providers: [{ id: openai, baseUrl: "https://\${REGION}.example.com/v1/", apiKey: "${apiKey}" }]`;
  for (const apiKey of ["os.environ/KEY", `\${KEY}`]) {
    const [model] = read(provider(apiKey) + oneModel, { KEY: " k \n", REGION: "eu" }).models;
    expect(model?.routes[0].provider).toMatchObject({
      baseUrl: "https://eu.example.com/v1",
      credential: { scheme: "bearer", secret: "k" },
    });
  }
});

test("Anthropic is known by its id, with its own way to send a key and no quirks", () => {
  const routed = oneModel.replace("openai,", "anthropic,");
  const file = read(`providers: [{ id: anthropic }]${routed}`, { ANTHROPIC_API_KEY: "k" });
  expect(file.models[0]?.routes[0].provider).toEqual({
    id: "anthropic",
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    credential: { scheme: "x-api-key", secret: "k" },
    cancelledStream: "billed_as_written",
  });
  const quirk = "providers: [{ id: anthropic, quirks: { seed: random_seed } }]";
  expect(mistakesOf(quirk + routed, { ANTHROPIC_API_KEY: "k" })).toEqual([
    "providers[0].quirks: seed is a quirk of providers of kind openai-compatible or azure",
  ]);
});

test("a provider that only has responses has no quirks of chat completions", () => {
  const entry = (quirks: string) =>
    `providers: [{ id: mine, baseUrl: "https://llm.example.com/v1", quirks: { ${quirks} } }]` +
    oneModel.replace("openai,", "mine,");
  const [route] = read(entry("responses: only, customTools: native")).models[0]?.routes ?? [];
  expect(route?.provider).toMatchObject({ quirks: { responses: "only", customTools: "native" } });
  expect(mistakesOf(entry("responses: only, streamUsage: always"))).toEqual([
    "providers[0].quirks: streamUsage is a quirk of chat completions, which a provider with responses: only never serves",
  ]);
});

test("a provider of a kind without embeddings is no route of an embeddings model", () => {
  const text = `providers: [{ id: anthropic }]
models:
  - { id: a, operation: embeddings, contextTokens: 10, dimensions: 8, prices: { input: "1" },
      routes: [{ provider: anthropic, model: m }] }`;
  expect(mistakesOf(text, { ANTHROPIC_API_KEY: "k" })).toEqual([
    'models[0].routes[0].provider: providers of kind "anthropic" do not serve embeddings',
  ]);
});

test("Gemini's embeddings are served from Google's own API, and not from Vertex AI", () => {
  const text = (provider: string) => `providers: [${provider}]
models:
  - { id: a, operation: embeddings, contextTokens: 10, dimensions: 8, prices: { input: "1" },
      routes: [{ provider: own, model: gemini-embedding-001 }] }`;
  const account = "os.environ/NONE";
  const vertex = `{ id: own, kind: vertex, project: p, location: global, serviceAccount: ${account} }`;
  expect(mistakesOf(text(vertex))).toContain(
    'models[0].routes[0].provider: providers of kind "vertex" do not serve embeddings',
  );
  const google = '{ id: own, kind: google, apiKey: k, baseUrl: "https://g.example.com/v1beta" }';
  const { models } = read(text(google));
  expect(models.map(({ id, operation }) => [id, operation])).toEqual([["a", "embeddings"]]);
});

test("an unset variable in an address hides, it does not leave half an address", () => {
  const text = `providers: [{ id: openai, baseUrl: "https://\${REGION}.example.com/v1" }]${oneModel}`;
  expect(read(text, { OPENAI_API_KEY: "k" }).hidden[0]?.reason).toContain("REGION is not set");
});

test("a local provider needs no key, but a private address needs the operator's permission", () => {
  const text = `providers: [{ id: ollama }]${oneModel.replace("openai,", "ollama,")}`;
  expect(read(text, {}, true).models[0]?.routes[0].provider).toMatchObject({
    baseUrl: knownProviders.ollama?.baseUrl,
    credential: { scheme: "none" },
  });
  expect(mistakesOf(text)).toEqual([
    "providers[0].baseUrl: is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true",
  ]);
});

test("an unknown provider is an address and its quirks", () => {
  const text = `providers: [{ id: mine, baseUrl: "https://llm.example.com", quirks: { seed: random_seed } }]
${oneModel.replace("openai,", "mine,")}`;
  const [model] = read(text).models;
  expect(model?.routes[0].provider).toMatchObject({
    baseUrl: "https://llm.example.com",
    credential: { scheme: "none" },
    quirks: { seed: "random_seed", tokenLimit: "max_tokens" },
  });
});

test("google is Gemini's own API with its own key, and its OpenAI-compatible API only if asked for", () => {
  const gemini = `providers: [{ id: google, apiKey: AIza }]\n${oneModel.replace("openai,", "google,")}`;
  expect(read(gemini).models[0]?.routes[0].provider).toEqual({
    id: "google",
    kind: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    credential: { scheme: "x-goog-api-key", secret: "AIza" },
    cancelledStream: "billed_as_written",
  });
  const address = "https://generativelanguage.googleapis.com/v1beta/openai";
  const imitation = gemini.replace("id: google,", `id: google, baseUrl: "${address}",`);
  expect(mistakesOf(imitation)).toEqual([
    `providers[0].baseUrl: is Google's OpenAI-compatible API: write kind: openai-compatible, or leave "/openai" out`,
  ]);
  const named = imitation.replace("id: google,", "id: google, kind: openai-compatible,");
  expect(read(named).models[0]?.routes[0].provider).toMatchObject({
    kind: "openai-compatible",
    credential: { scheme: "bearer" },
  });
});

test("all mistakes of a file are reported together, with their paths", () => {
  const text = `
extra: 1
providers:
  - { id: openai, apiKey: k, baseURL: https://api.openai.com }
  - { id: openai, apiKey: k }
  - { id: mine }
  - { id: other, baseUrl: "ftp://example.com", quirks: { seed: sometimes } }
  - { id: third, kind: telegraph, baseUrl: "https://10.0.0.1/v1" }
  - { id: fourth, baseUrl: "https://10.0.0.1/v1" }
models:
  - id: a
    contextTokens: 10
    maxOutputTokens: 20
    routes: [{ provider: nobody, model: x }]
    prices: { input: 0.15, output: "0,6" }
  - id: a
    contextTokens: 10.5
    tokenizer: o200k
    capabilities: [telepathy]
    routes: []
    prices: { input: "1", cachedInputs: "1" }
  - just a string
`;
  expect(mistakesOf(text)).toEqual([
    'providers[1].id: "openai" is already taken by an earlier entry',
    "providers[2].baseUrl: is required for this provider",
    'providers[3].quirks.seed: Invalid option: expected one of "seed"|"random_seed"',
    expect.stringContaining('providers[4].kind: must be "openai-compatible"'),
    expect.stringContaining("providers[5].baseUrl: is a private or loopback address"),
    "models[0].maxOutputTokens: must not exceed contextTokens (10)",
    'models[0].routes[0].provider: there is no provider "nobody" in this file',
    'models[0].prices.input: prices are quoted decimal strings: write "0.15"',
    expect.stringContaining("models[0].prices.output: must be USD per million tokens"),
    'models[1].id: "a" is already taken by an earlier entry',
    "models[1].contextTokens: must be a whole number of tokens",
    "models[1].maxOutputTokens: must be a whole number of tokens",
    expect.stringContaining(
      'models[1].tokenizer: Invalid option: expected one of "bytes"|"o200k_base"',
    ),
    expect.stringContaining("models[1].capabilities[0]: Invalid option"),
    "models[1].routes: needs at least one route",
    "models[1].prices.output: is required",
    "models[2]: Invalid input: expected object, received string",
    "extra: unknown field",
    "providers[0].baseURL: unknown field",
    "models[1].prices.cachedInputs: unknown field",
  ]);
});

test("fields of a later version are ignored and named, so that a version can be rolled back", () => {
  const later = (openai + oneModel).replace('input: "', 'perPage: "1", input: "');
  const file = read(`${later}\nextra: 1\n`, { OPENAI_API_KEY: "k" });
  expect(file.unknownFields).toEqual(["extra", "models[0].prices.perPage"]);
  const { models } = read(openai + oneModel, { OPENAI_API_KEY: "k" });
  expect(file.models).toEqual([...models]);
});

test("a price beyond what the ledger can hold is refused, the highest possible one is not", () => {
  const priced = (input: string) => openai + oneModel.replace('"0.15"', `"${input}"`);
  expect(mistakesOf(priced("1000000.000000001"))).toEqual([
    "models[0].prices.input: is more than 1,000,000 USD per million tokens",
  ]);
  expect(mistakesOf(priced("1000000"))).toEqual([]);
});

test("a day that is not in the calendar is refused", () => {
  const dated = (day: string) =>
    openai + oneModel.replace("    name:", `    created: ${day}\n    name:`);
  expect(mistakesOf(dated("2024-07-18"))).toEqual([]);
  for (const wrong of ["2024-13-01", "2023-02-29", "July"]) {
    expect(mistakesOf(dated(wrong))).toEqual([
      "models[0].created: must be a calendar date, like 2024-07-18",
    ]);
  }
});

test("broken YAML is reported by line, including a repeated field and an alias bomb", () => {
  expect(mistakesOf("models:\n  - id: a\n    id: b")).toEqual([
    "line 3, column 5: Map keys must be unique",
  ]);
  expect(mistakesOf("models: [\nproviders: }")[0]).toStartWith("line 2, column 1");
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
  for (const [letter, before] of ["ba", "cb", "dc", "ed", "fe"]) {
    bomb.push(`${letter}: &${letter} [${Array(10).fill(`*${before}`).join(", ")}]`);
  }
  expect(mistakesOf(bomb.join("\n"))[0]).toContain("alias");
});

test("a file that is not a catalog is a mistake, an empty list of models is not", () => {
  for (const text of ["", "null", "[]", "{}", "models", "models: 1", "providers: {}"]) {
    expect(mistakesOf(text)).toHaveLength(1);
  }
  expect(mistakesOf("name: x")[0]).toContain("must have a list of providers and a list of models");
  expect(read("models: []")).toMatchObject({ models: [], hidden: [] });
});

test("the message of the error has one line per mistake", () => {
  expect(() => read("models: 1\nproviders: 2")).toThrow(
    "the catalog has 2 mistake(s)\nproviders: must be a list\nmodels: must be a list",
  );
});

test("a reasoning model is assumed to hide its reasoning, unless the catalog says that it shows all of it", () => {
  const entry = (id: string, nature: string) => `
  - { id: ${id}, contextTokens: 10, maxOutputTokens: 10, ${nature}
      routes: [{ provider: mine, model: m }], prices: { input: "1", output: "1" } }`;
  const { models } = readCatalog(
    `
providers: [{ id: mine, baseUrl: "https://llm.example.com/v1" }]
models:${entry("plain", "")}${entry("silent", "capabilities: [reasoning],")}${entry(
      "open",
      "capabilities: [reasoning], reasoning: visible,",
    )}${entry("secret", "reasoning: hidden,")}
`,
    {},
    { allowPrivate: false },
  );
  const reasoningOf = (model: ModelEntry) =>
    model.operation === "chat" ? model.reasoning : undefined;
  expect(Object.fromEntries(models.map((model) => [model.id, reasoningOf(model)]))).toEqual({
    plain: "visible",
    silent: "hidden",
    open: "visible",
    secret: "hidden",
  });
});
