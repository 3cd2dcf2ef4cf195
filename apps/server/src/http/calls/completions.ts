// `POST /v1/completions`, OpenAI's older endpoint, answered by chat models.
import { asOpenRouter, completionsProtocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { type CallContext, registerProtocol } from "./protocol-route.ts";

export function registerCompletions(app: Pick<Elysia, "all">, context: CallContext): void {
  registerProtocol(
    app,
    context,
    "/v1/completions",
    completionsProtocol,
    asOpenRouter(completionsProtocol),
  );
}
