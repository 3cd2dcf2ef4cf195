// Some fields of a request change what the upstream charges. A model without a price for them
// refuses them, for what is not priced cannot be held, and what is not held is never spent.

import { Fault } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import type { Model } from "./model.ts";

/** Throws `unsupported_parameter` for the first field of `chat` that `model` has no price for. */
export function refusePriceChanging(model: Model, chat: ChatRequest): void {
  const [param] = chat.priceChanging;
  if (param === undefined) return;
  throw new Fault(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' changes what a call does or costs, and ${model.id} has no price for that. Leave it out.`,
    { param },
  );
}
