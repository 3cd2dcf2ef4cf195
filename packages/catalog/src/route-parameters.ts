// Which parameters a call may have: what a model's capabilities and prices allow, without what the provider of a
// route would refuse. `/v1/models` lists what `require_parameters` routes by.
import { takesParameter } from "@turnpike/providers";
import { supportedParameters } from "@turnpike/wire";
import { priceOfRoute } from "./find-model.ts";
import type { Model, Route } from "./model.ts";

/** OpenRouter's word for the schemas of `response_format`. */
const schemas = "structured_outputs";

export function parametersOfRoute(model: Model, route: Route): readonly string[] {
  const { operation, capabilities } = model;
  const price = priceOfRoute(model, route);
  const allowed = route.parameters ?? supportedParameters({ operation, capabilities, price });
  return allowed.filter((name) => {
    const field = name === schemas ? "response_format" : name;
    return takesParameter(route, operation, field);
  });
}

/** Those that at least one of its routes takes. */
export function parametersOfModel(model: Model): readonly string[] {
  return [...new Set(model.routes.flatMap((route) => parametersOfRoute(model, route)))];
}
