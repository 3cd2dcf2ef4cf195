// Which parameters a call may have: what a model's capabilities and prices allow, without what the provider of a
// route would refuse. `/v1/models` lists what `require_parameters` routes by.
import { takesParameter } from "@turnpike/providers";
import { fieldOfParameter, isOpenaisParameter, supportedParameters } from "@turnpike/wire";
import { priceOfRoute } from "./find-model.ts";
import type { Model, Route } from "./model.ts";

export function parametersOfRoute(model: Model, route: Route): readonly string[] {
  const allowed = route.parameters ?? presumedParameters(model, route);
  return allowed.filter((name) => takesParameter(route, model.operation, fieldOfParameter(name)));
}

/** Services that refuse what they do not know refuse what is not OpenAI's, unless their route says otherwise. */
function presumedParameters(model: Model, route: Route): readonly string[] {
  const { operation, capabilities } = model;
  const { provider } = route;
  const names = supportedParameters({ operation, capabilities, price: priceOfRoute(model, route) });
  const isStrict =
    provider.kind === "openai-compatible" && provider.quirks.controlFields === "rejects";
  return isStrict && operation === "chat" ? names.filter(isOpenaisParameter) : names;
}

/** Those that at least one of its routes takes. */
export function parametersOfModel(model: Model): readonly string[] {
  return [...new Set(model.routes.flatMap((route) => parametersOfRoute(model, route)))];
}
