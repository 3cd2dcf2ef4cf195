// Where requests go: OpenAI's own paths, and both forms of Azure's.
import { expect, test } from "bun:test";
import { type ParsedRequest, parseEmbeddingsRequest, responsesProtocol } from "@turnpike/wire";
import type { AzureAddress } from "../../provider.ts";
import { dialectOf } from "../dialect-of.ts";
import {
  imageCall,
  speechCall,
  transcriptionCall,
  uploadedFile,
} from "../gemini-operations/sample-operations.fixture.ts";
import { azureCall } from "./recorded-azure.fixture.ts";
import { sampleCall } from "./sample-call.fixture.ts";

const chat = sampleCall({}).request;
const embeddings = parseEmbeddingsRequest(JSON.stringify({ model: "m", input: "a" }));
const responses = responsesProtocol.parse(
  JSON.stringify({ model: "m", input: "a" }),
  new Headers(),
);
const image = imageCall().request;
const edit = imageCall({ image: "data:image/png;base64,AA" }).request;
const fileEdit = { ...image, references: [{ file: uploadedFile("image/png", "PNG") }] };
const speech = speechCall().request;
const transcription = transcriptionCall().request;
const dated = { form: "deployments", apiVersion: "2024-10-21" } as const;

const cases: readonly [string, AzureAddress | undefined, ParsedRequest, string][] = [
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
  [
    "edits of a deployment",
    dated,
    edit,
    "/deployments/my%20gpt/images/edits?api-version=2024-10-21",
  ],
  [
    "edits of a deployment, as files",
    dated,
    fileEdit,
    "/deployments/my%20gpt/images/edits?api-version=2024-10-21",
  ],
  [
    "images of a deployment",
    dated,
    image,
    "/deployments/my%20gpt/images/generations?api-version=2024-10-21",
  ],
  [
    "speech of a deployment",
    dated,
    speech,
    "/deployments/my%20gpt/audio/speech?api-version=2024-10-21",
  ],
  [
    "transcripts of a deployment",
    dated,
    transcription,
    "/deployments/my%20gpt/audio/transcriptions?api-version=2024-10-21",
  ],
  [
    "transcripts of Azure's v1",
    { form: "v1", apiVersion: undefined },
    transcription,
    "/audio/transcriptions",
  ],
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
