// What is published of the requests and answers of operations is what is enforced and written.
import { expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import Ajv from "ajv/dist/2020.js";
import answers from "../../schema/operations.json";
import { commonTexts, ownTexts } from "../fields/operations/field-texts.ts";
import { operationFields } from "../fields/operations/operation-fields.ts";
import { imagesProtocol } from "../images/images-protocol.ts";
import { moderationProtocol } from "../moderations/moderation-protocol.ts";
import type { AnswerContent, Bill, ParsedRequest } from "../protocol/pivot.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { rerankProtocol } from "../rerank/rerank-protocol.ts";
import { speechProtocol } from "../speech/speech-protocol.ts";
import { describeOperationRequest } from "./operation-schemas.ts";

const ajv = new Ajv({ strict: false, allErrors: true });
const operations = ["image", "speech", "transcription", "rerank", "moderation"] as const;

test.each(operations)("every field of %s is described, and nothing else", (operation) => {
  const { model: _, ...common } = commonTexts;
  const described = ["model", ...Object.keys(common), ...Object.keys(ownTexts[operation] ?? {})];
  expect(described.sort()).toEqual(Object.keys(operationFields[operation] ?? {}).sort());
});

type Write = (content: AnswerContent, billed: Bill | undefined, body: string) => string;

function protocolOf<Request extends ParsedRequest>({ parse, writeWhole }: Protocol<Request>) {
  const read = (body: string) => parse(body, new Headers());
  const write: Write = (content, billed, body) => writeWhole(content, identity, billed, read(body));
  return { read, write };
}

const identity = { id: "gen-1", model: "m", created: 1_796_000_000, provider: "p" };
const protocols = {
  image: protocolOf(imagesProtocol),
  speech: protocolOf(speechProtocol),
  rerank: protocolOf(rerankProtocol),
  moderation: protocolOf(moderationProtocol),
} as const;

const image = { model: "m", prompt: "A cat" };
const speech = { model: "m", input: "Hello" };
const rerank = { model: "m", query: "a", documents: ["b", { text: "c" }] };

test.each<[keyof typeof protocols, object, boolean]>([
  ["image", { ...image, n: 10, size: "1024x1024", quality: "high", user: null }, true],
  ["image", { ...image, n: 11 }, false],
  ["image", { ...image, size: "huge" }, false],
  ["image", { ...image, output_format: "tiff" }, false],
  ["image", { ...image, frames: 3 }, false],
  ["image", { model: "m" }, false],
  ["speech", { ...speech, speed: 4, response_format: "wav", voice: { id: "v" } }, true],
  ["speech", { ...speech, speed: 4.5 }, false],
  ["speech", { ...speech, input: "" }, false],
  ["rerank", { ...rerank, top_n: 1, return_documents: true }, true],
  ["rerank", { ...rerank, documents: [] }, false],
  ["rerank", { ...rerank, return_documents: "yes" }, false],
  ["moderation", { input: ["a", "b"] }, true],
  ["moderation", { input: [] }, false],
  ["moderation", { input: 7 }, false],
])(
  "a body of %s, %j, is taken by its schema and by its parser alike: %p",
  (operation, body, isTaken) => {
    const isValid = ajv.compile(describeOperationRequest(operation))(body);
    const parse = () => protocols[operation].read(JSON.stringify(body));
    expect(isValid).toBe(isTaken);
    if (isTaken) expect(parse).not.toThrow();
    else expect(parse).toThrow();
  },
);

const bill: Bill = {
  usage: {
    promptTokens: 41,
    completionTokens: 1_756,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    imageCompletionTokens: 1_756,
    units: [{ unit: "searchUnits", count: 1 }],
  },
  costNanos: toNanos(52_885_000n),
};
const images = [{ base64: "iVBOR", revisedPrompt: "A cat." }];

test.each<[string, keyof typeof protocols, object, AnswerContent]>([
  ["Images", "image", image, { kind: "images", images, ...formOf("1024x1024") }],
  [
    "Images",
    "image",
    image,
    { kind: "images", images: [{ url: "https://x.test/a" }], ...formOf() },
  ],
  [
    "Ranking",
    "rerank",
    { ...rerank, return_documents: true },
    { kind: "ranking", results: [{ index: 1, score: 0.98 }] },
  ],
  [
    "Moderation",
    "moderation",
    { input: "a" },
    { kind: "moderation", results: [{ flagged: true }] },
  ],
])("an answer has the shape of %s, with its bill and without", (name, operation, body, content) => {
  const validate = ajv.compile({ ...answers, $ref: `#/$defs/${name}` });
  for (const billed of [bill, undefined]) {
    const answer = JSON.parse(protocols[operation].write(content, billed, JSON.stringify(body)));
    expect(validate(answer) ? [] : validate.errors).toEqual([]);
  }
  expect(validate({})).toBe(false);
});

function formOf(size?: string) {
  return { size, quality: undefined, outputFormat: "png", background: undefined };
}
