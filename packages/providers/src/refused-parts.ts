// What a provider has refused parts of requests for, so that the next call that would repeat them is asked without
// them at once: the refusal would come again.
import type { Provider } from "./provider.ts";

/** For each provider; the oldest are forgotten, and refused once more when they come again. */
const mostKept = 10_000;

const refusedBy = new WeakMap<Provider, Set<string>>();

/** `parts` are names by which they are recognized, at most some hundred characters each. */
export function rememberRefused(provider: Provider, parts: Iterable<string>): void {
  let refused = refusedBy.get(provider);
  if (refused === undefined) {
    refused = new Set();
    refusedBy.set(provider, refused);
  }
  for (const part of parts) {
    refused.add(part);
    if (refused.size <= mostKept) continue;
    for (const oldest of refused) {
      refused.delete(oldest);
      break;
    }
  }
}

/** Whether `name` is among them; it is only called where the provider has refused anything. */
export function wasRefused(provider: Provider, name: () => string): boolean {
  const refused = refusedBy.get(provider);
  return refused?.has(name()) === true;
}
