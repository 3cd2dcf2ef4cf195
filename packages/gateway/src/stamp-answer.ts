// What an answer shows of itself: its id and its model, and who answers, for callers who are shown that.
import type { ModelRequest, Route } from "@turnpike/catalog";
import type { AnswerStamp, ParsedRequest } from "@turnpike/wire";
import type { Call } from "./gateway.ts";
import type { Candidate } from "./routing/plan-routes.ts";

export function stampAnswer<Request extends ParsedRequest>(
  { protocol, generationId }: Call<Request>,
  request: Request,
  { model }: ModelRequest,
  route: Route,
): AnswerStamp {
  return {
    id: protocol.answerId(generationId),
    model: model.id,
    created: Math.floor(Date.now() / 1000),
    ...providerFor(request, route),
  };
}

/** The same answer, from another candidate. */
export function restampAnswerOf(
  stamp: AnswerStamp,
  request: ParsedRequest,
  { matched, route }: Candidate,
): AnswerStamp {
  return { ...stamp, model: matched.model.id, ...providerFor(request, route) };
}

function providerFor(request: ParsedRequest, { provider }: Route): Pick<AnswerStamp, "provider"> {
  const isShown = request.operation === "chat" && request.showsProvider === true;
  return isShown ? { provider: provider.id } : {};
}
