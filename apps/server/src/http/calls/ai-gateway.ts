// The API of the AI SDK's gateway provider, which bare model strings of the AI SDK are sent to. Its versions differ in nothing but
// what the SDK's headers say; a call without them is of the specification that came with its version.
import {
  type CallTarget,
  embeddingProtocol,
  gatewayConfig,
  imageProtocol,
  languageProtocol,
  rerankingProtocol,
  type Specification,
  speechModelProtocol,
  transcriptionModelProtocol,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { aiGatewayBases } from "../routes/api-base.ts";
import { answerJson, type Handle, registerPath } from "../routes/route.ts";
import { type CallContext, createCallHandle } from "./protocol-route.ts";

/** Answers a call of one kind of model. */
type Call = (context: CallContext, target: CallTarget, headers: Headers) => Handle;

/** By what the SDK appends to its base URL, and begins the name of the header of the specification with. */
const calls: Readonly<Record<string, Call>> = {
  "language-model": (context, { specification }, headers) => {
    const model = headers.get("ai-language-model-id") ?? "";
    const stream = headers.get("ai-language-model-streaming") === "true";
    return createCallHandle(context, languageProtocol({ model, stream, specification }));
  },
  "embedding-model": (context, target) => createCallHandle(context, embeddingProtocol(target)),
  "image-model": (context, target) => createCallHandle(context, imageProtocol(target)),
  "speech-model": (context, target) => createCallHandle(context, speechModelProtocol(target)),
  "transcription-model": (context, target) =>
    createCallHandle(context, transcriptionModelProtocol(target)),
  "reranking-model": (context, target) => createCallHandle(context, rerankingProtocol(target)),
};

export function registerAiGateway(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, authenticate } = context;
  const { catalog } = services.gateway;
  for (const [base, specification] of aiGatewayBases) {
    for (const [name, call] of Object.entries(calls)) {
      const POST: Handle = (request, ids) => {
        const { headers } = request;
        return call(context, targetOf(headers, name, specification), headers)(request, ids);
      };
      registerPath(app, services, `${base}/${name}`, { POST });
    }
    registerPath(app, services, `${base}/config`, {
      async GET(request, ids) {
        await authenticate(request);
        return answerJson(ids, gatewayConfig([...catalog.current.models.values()], specification));
      },
    });
  }
}

function targetOf(headers: Headers, name: string, ofBase: Specification): CallTarget {
  const stated = Number(headers.get(`ai-${name}-specification-version`));
  const specification = ([2, 3, 4] as const).find((known) => known === stated) ?? ofBase;
  return { model: headers.get("ai-model-id") ?? "", specification };
}
