// Whether Stripe accepts our key and sends the events that billing needs. Reads only.
import { createStripe, type StripeOptions } from "./stripe.ts";
import { eventTypes } from "./stripe-api.ts";

export type StripeCheck = {
  /** `accepted`, or why not. */
  readonly key: string;
  readonly endpoint: "present" | "absent" | "disabled" | "unknown";
  /** Events that the endpoint does not send. */
  readonly missing: readonly string[];
};

/** Never rejects. `url` is where events are received. */
export async function checkStripe(options: StripeOptions, url: string): Promise<StripeCheck> {
  try {
    const endpoint = await createStripe(options).findEndpoint(url);
    if (endpoint === "unknown") return { key: "accepted", endpoint, missing: [] };
    if (endpoint === undefined) return { key: "accepted", endpoint: "absent", missing: [] };
    if (!endpoint.enabled) return { key: "accepted", endpoint: "disabled", missing: [] };
    const sent = new Set(endpoint.events);
    const missing = sent.has("*") ? [] : eventTypes.filter((type) => !sent.has(type));
    return { key: "accepted", endpoint: "present", missing };
  } catch (thrown) {
    const key = thrown instanceof Error ? thrown.message : String(thrown);
    return { key, endpoint: "unknown", missing: [] };
  }
}
