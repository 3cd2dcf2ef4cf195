// Gemini's API for clients: `/v1beta/models/{id}:{method}`, and the same methods under `/v1/models`, where Python's SDK asks.
// The id of a model may contain slashes and colons, so the method follows the last colon.
import { Fault } from "@turnpike/base";
import { findModel } from "@turnpike/catalog";
import { countTokens } from "@turnpike/gateway";
import {
  embedProtocol,
  geminiModel,
  geminiModelPage,
  geminiProtocol,
  modelOf,
  parseCountedContents,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { decodePath } from "../lookups/models.ts";
import { geminiBases } from "../routes/api-base.ts";
import { answerJson, type Handle, registerPath } from "../routes/route.ts";
import { measureCall } from "./measure-call.ts";
import { type CallContext, createCallHandle } from "./protocol-route.ts";

/** One of the methods, for a model. */
type Run = (context: CallContext, address: GeminiAddress) => Handle;

type GeminiAddress = {
  readonly model: string;
  readonly method: string;
  /** `alt` of the query: what frames a stream. */
  readonly alt: string | null;
};

const methods: ReadonlyMap<string, Run> = new Map<string, Run>([
  ["generateContent", (context, { model }) => generate(context, model)],
  ["streamGenerateContent", stream],
  ["countTokens", count],
  ["embedContent", (context, { model }) => embed(context, model, false)],
  ["batchEmbedContents", (context, { model }) => embed(context, model, true)],
]);

export function registerGemini(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, authenticate } = context;
  const { catalog } = services.gateway;
  const list: Handle = async (request, ids) => {
    moveKey(request);
    await authenticate(request);
    const query = new URL(request.url).searchParams;
    return answerJson(ids, geminiModelPage([...catalog.current.models.values()], query));
  };
  const show: Handle = async (request, ids) => {
    moveKey(request);
    await authenticate(request);
    const id = modelOf(decodePath(pathOfModel(request)));
    return answerJson(ids, geminiModel(findModel(catalog.current, id, { param: "model" })));
  };
  const call = createGeminiCall(context);
  for (const base of geminiBases) {
    registerPath(app, services, `${base}/models`, { GET: list });
    registerPath(app, services, `${base}/models/*`, { GET: show, POST: call });
  }
}

/** Answers `POST …/models/{id}:{method}`. */
export function createGeminiCall(context: CallContext): Handle {
  return async (request, ids) => {
    moveKey(request);
    const address = parseAddress(request);
    const run = methods.get(address.method);
    if (run !== undefined) return run(context, address)(request, ids);
    await context.authenticate(request);
    throw unknownMethod(address.method);
  };
}

/** What follows the first `/models/`, with the query's part of the address. */
function pathOfModel({ url }: Request): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.indexOf("/models/") + "/models/".length);
}

function parseAddress(request: Request): GeminiAddress {
  const path = decodePath(pathOfModel(request));
  const colon = path.lastIndexOf(":");
  const name = colon === -1 ? path : path.slice(0, colon);
  const method = colon === -1 ? "" : path.slice(colon + 1);
  return { model: modelOf(name), method, alt: new URL(request.url).searchParams.get("alt") };
}

const keyChars = /^[\x21-\x7e]+$/;

/** A key in the address is read as the header that Google's SDKs send it in. One that no header can contain is ignored. */
export function moveKey(request: Request): void {
  const key = new URL(request.url).searchParams.get("key") ?? "";
  if (keyChars.test(key) && request.headers.get("x-goog-api-key") === null) {
    request.headers.set("x-goog-api-key", key);
  }
}

function generate(context: CallContext, model: string): Handle {
  return createCallHandle(context, geminiProtocol({ model, stream: false }, "events"));
}

function stream(context: CallContext, { model, alt }: GeminiAddress): Handle {
  const framing = alt === "sse" ? "events" : "list";
  return createCallHandle(context, geminiProtocol({ model, stream: true }, framing));
}

function embed(context: CallContext, model: string, isBatch: boolean): Handle {
  return createCallHandle(context, embedProtocol({ model, isBatch }));
}

function count(context: CallContext, { model }: GeminiAddress): Handle {
  const { gateway } = context.services;
  return async (request, ids) => {
    const { promptTokens, headers } = await measureCall(context, request, (call) => {
      const parsed = call.parse((text) => parseCountedContents(text, { model, stream: false }));
      const { principal } = call;
      return countTokens({ gateway, principal, request: parsed, signal: request.signal });
    });
    const details = [{ modality: "TEXT", tokenCount: promptTokens }];
    return answerJson(ids, { totalTokens: promptTokens, promptTokensDetails: details }, headers);
  };
}

function unknownMethod(method: string): Fault {
  const offered = [...methods.keys()].join(", ");
  return new Fault(
    "unknown_url",
    `This gateway does not offer the method '${method.slice(0, 100)}' of Gemini's API. It offers ${offered}.`,
  );
}
