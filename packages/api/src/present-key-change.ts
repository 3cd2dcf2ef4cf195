// One change of an API key as the console gets it: what it was about, before and after, as text.
import type { KeyChange } from "@turnpike/reports";
import { formatUsd, parseNanos } from "@turnpike/terms";

const asText = (text: string) => text;
const asInstant = (text: string) => new Date(text).toISOString();
const asUsd = (text: string) => formatUsd(parseNanos(text));

/** PostgreSQL's JSON text of a `text[]`. */
function asList(text: string): string {
  const items: unknown = JSON.parse(text);
  return Array.isArray(items) ? items.join(", ") : "";
}

const columns = {
  secret: ["secret", asText],
  name: ["name", asText],
  disabled_at: ["disabled", asInstant],
  revoked_at: ["revoked", asInstant],
  previous_until: ["oldSecret", asInstant],
  expires_at: ["expiry", asInstant],
  day_limit_nanos: ["daySpend", asUsd],
  week_limit_nanos: ["weekSpend", asUsd],
  month_limit_nanos: ["monthSpend", asUsd],
  total_limit_nanos: ["totalSpend", asUsd],
  requests_per_minute: ["requestsPerMinute", asText],
  tokens_per_minute: ["tokensPerMinute", asText],
  concurrency: ["concurrency", asText],
  allowed_models: ["allowedModels", asList],
  allowed_addresses: ["allowedAddresses", asList],
} as const;

export function presentKeyChange({ at, changes }: KeyChange) {
  const lines = Object.entries(columns).flatMap(([column, [what, print]]) => {
    const change = changes[column];
    if (change === undefined) return [];
    const [before, after] = change.map((text) => (text === null ? null : print(text)));
    return { what, before: before ?? null, after: after ?? null };
  });
  return { at: at.toISOString(), lines };
}
