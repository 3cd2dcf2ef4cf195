// `POST /v1/chat/completions`, OpenAI's chat.
import { asOpenRouter, chatProtocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { type CallContext, registerProtocol } from "./protocol-route.ts";

export function registerChatCompletions(app: Pick<Elysia, "all">, context: CallContext): void {
  registerProtocol(app, context, "/v1/chat/completions", chatProtocol, asOpenRouter(chatProtocol));
}
