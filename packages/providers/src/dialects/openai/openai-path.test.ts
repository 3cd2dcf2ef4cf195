// Where requests go: OpenAI's own paths, and both forms of Azure's.
import { expect, test } from "bun:test";
import { parseEmbeddingsRequest, responsesProtocol } from "@turnpike/wire";
import type { AzureAddress } from "../../provider.ts";
import { dialectOf } from "../dialect-of.ts";
import { azureCall } from "./recorded-azure.fixture.ts";
import { sampleCall } from "./sample-call.fixture.ts";

const chat = sampleCall({}).request;
const embeddings = parseEmbeddingsRequest(JSON.stringify({ model: "m", input: "a" }));
const responses = responsesProtocol.parse(
  JSON.stringify({ model: "m", input: "a" }),
  new Headers(),
);
const dated = { form: "deployments", apiVersion: "2024-10-21" } as const;

const cases: readonly [
  string,
  AzureAddress | undefined,
  typeof chat | typeof embeddings,
  string,
][] = [
  ["OpenAI's chat", undefined, chat, "/chat/completions"],
  ["OpenAI's embeddings", undefined, embeddings, "/embeddings"],
  ["OpenAI's responses", undefined, responses, "/responses"],
  [
    "chat of a deployment",
    dated,
    chat,
    "/deployments/my%20gpt/chat/completions?api-version=2024-10-21",
  ],
  [
    "embeddings of a deployment",
    dated,
    embeddings,
    "/deployments/my%20gpt/embeddings?api-version=2024-10-21",
  ],
  ["responses of a resource", dated, responses, "/responses?api-version=2024-10-21"],
  ["Azure's v1", { form: "v1", apiVersion: undefined }, chat, "/chat/completions"],
  [
    "Azure's v1 in preview",
    { form: "v1", apiVersion: "preview" },
    responses,
    "/responses?api-version=preview",
  ],
];

test.each(cases)("%s is found at its path", (_, azure, request, path) => {
  const sample = azureCall({});
  const { azure: __, ...plain } = sample.provider;
  const quirks = { ...plain.quirks, responses: "native" } as const;
  const provider = { ...plain, quirks, ...(azure !== undefined && { azure }) };
  const call = { ...sample, provider, request, upstreamModel: "my gpt" };
  expect(dialectOf({ provider, request }).buildRequest(call).path).toBe(path);
});
