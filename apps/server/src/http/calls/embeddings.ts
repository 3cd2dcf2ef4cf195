// `POST /v1/embeddings`, OpenAI's vectors.
import { embeddingsProtocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { type CallContext, registerProtocol } from "./protocol-route.ts";

export function registerEmbeddings(app: Pick<Elysia, "all">, context: CallContext): void {
  registerProtocol(app, context, "/v1/embeddings", embeddingsProtocol);
}
