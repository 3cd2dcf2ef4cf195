// The members of a request that are not sent to a route, because its model would refuse them and can do without them.
import type { ModelRequest, Route } from "@turnpike/catalog";
import { declarableParameters, reasoningParameters } from "@turnpike/wire";

/**
 * Admitted without the capability, `dimensions` is the model's own length; and a client that asks
 * every model to think gets an answer from one that cannot.
 */
export function omittedFields({ operation, model }: ModelRequest, route: Route): readonly string[] {
  if (operation === "embeddings") {
    return model.capabilities.includes("dimensions") ? [] : ["dimensions"];
  }
  if (operation !== "chat") return [];
  if (route.parameters !== undefined) return undeclared(route, route.parameters);
  return model.capabilities.includes("reasoning") ? [] : reasoningParameters;
}

/** By route; a reload of the catalog creates new routes. */
const undeclaredBy = new WeakMap<Route, readonly string[]>();

function undeclared(route: Route, parameters: readonly string[]): readonly string[] {
  let omitted = undeclaredBy.get(route);
  if (omitted === undefined) {
    const lacks = (name: string) => !parameters.includes(name);
    const reasons = !reasoningParameters.every(lacks);
    omitted = [...declarableParameters.filter(lacks), ...(reasons ? [] : reasoningParameters)];
    undeclaredBy.set(route, omitted);
  }
  return omitted;
}
