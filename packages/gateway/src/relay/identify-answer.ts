// What an answer shows of itself: its id and its model, and who answers, for callers who are shown that.
import type { ModelRequest, Route } from "@turnpike/catalog";
import type { AnswerIdentity, ParsedRequest } from "@turnpike/wire";
import type { Call } from "../gateway.ts";
import type { Candidate } from "../routing/plan-routes.ts";

export function identifyAnswer<Request extends ParsedRequest>(
  { protocol, generationId }: Call<Request>,
  request: Request,
  { model }: ModelRequest,
  route: Route,
): AnswerIdentity {
  const id = protocol.answerId(generationId);
  const created = Math.floor(Date.now() / 1000);
  if (!showsProvider(request)) return { id, model: model.id, created };
  return { id, model: model.id, created, provider: route.provider.id };
}

/** The same answer, from another candidate. */
export function identifyCandidate(
  identity: AnswerIdentity,
  request: ParsedRequest,
  { modelRequest, route }: Candidate,
): AnswerIdentity {
  const next = { ...identity, model: modelRequest.model.id };
  return showsProvider(request) ? { ...next, provider: route.provider.id } : next;
}

function showsProvider(request: ParsedRequest): boolean {
  return request.operation === "chat" && request.showsProvider === true;
}
