// Which dialect a provider is spoken to in: one per kind of provider and operation. A new dialect is a
// folder beside this file and an entry of this table.
import type { ParsedRequest } from "@turnpike/wire";
import type { Dialect, Provider, UpstreamCall } from "../provider.ts";
import { openaiDialect } from "./openai/openai-dialect.ts";
import { embeddingsDialect } from "./openai-embeddings/embeddings-dialect.ts";

type Operation = ParsedRequest["operation"];

type DialectsByOperation = {
  readonly [Named in Operation]: Dialect<Extract<ParsedRequest, { readonly operation: Named }>>;
};

const dialects = {
  "openai-compatible": { chat: openaiDialect, embeddings: embeddingsDialect },
} as const satisfies Record<Provider["kind"], DialectsByOperation>;

/**
 * The dialect for a call. The cast is sound because the table's type puts under each operation a
 * dialect of that operation's requests, which TypeScript cannot follow through a lookup.
 */
export function dialectOf<Request extends ParsedRequest>({
  provider,
  request,
}: UpstreamCall<Request>): Dialect<Request> {
  return dialectFor(provider, request);
}

/** The same before a call is made of it. */
export function dialectFor<Request extends ParsedRequest>(
  provider: Provider,
  request: Request,
): Dialect<Request> {
  const dialect: unknown = dialects[provider.kind][request.operation];
  return dialect as Dialect<Request>;
}
