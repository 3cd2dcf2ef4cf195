// What a request of a given size costs with this model: exact, as it would be billed.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { createStore } from "solid-js/store";
import { formatCount, formatExactUsd, noData } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { calculateCost, pricesFor } from "../shared/calculate-cost.ts";
import { hasOutput, type Model } from "./model-query.ts";

const fields = [
  ["input", "Input tokens"],
  ["cached", "Cached input tokens"],
  ["output", "Output tokens"],
] as const;

type FieldName = (typeof fields)[number][0];

export function Calculator(props: { of: Model }): JSX.Element {
  const [typed, setTyped] = createStore<Record<FieldName, string>>({
    ...{ input: "1000", cached: "0", output: hasOutput(props.of) ? "500" : "0" },
  });
  const tooMuchCached = () => (readCount(typed.cached) ?? 0) > (readCount(typed.input) ?? Infinity);
  const errorOf = (name: FieldName) => {
    if (readCount(typed[name]) === undefined) return "Enter a whole number.";
    return name === "cached" && tooMuchCached() ? "Can't exceed input tokens." : undefined;
  };
  const costOf = (requests: number) => {
    const { input, cached, output } = typed;
    if (fields.some(([name]) => errorOf(name) !== undefined)) return noData;
    const inputTokens = readCount(input) ?? 0;
    const counts = {
      inputTokens,
      cachedTokens: readCount(cached) ?? 0,
      outputTokens: readCount(output) ?? 0,
    };
    return formatExactUsd(calculateCost(pricesFor(props.of, inputTokens), counts, requests));
  };
  return (
    <Card title="Cost calculator">
      <div class="grid gap-4 sm:grid-cols-3">
        <For each={fields.slice(0, hasOutput(props.of) ? fields.length : 1)}>
          {([name, label]) => (
            <TextField
              label={label}
              error={errorOf(name)}
              inputmode="numeric"
              autocomplete="off"
              maxlength={12}
              value={typed[name]}
              onInput={(text) => setTyped(name, text)}
            />
          )}
        </For>
      </div>
      <dl aria-live="polite" class="mt-5 grid grid-cols-2 gap-4 border-t border-border pt-4">
        <For each={[1, 1_000]}>
          {(requests) => (
            <div>
              <dt class="text-sm text-muted">
                {requests === 1 ? "Per request" : `Per ${formatCount(requests)} requests`}
              </dt>
              <dd translate="no" class="figures mt-0.5 text-xl font-semibold tracking-tight">
                {costOf(requests)}
              </dd>
            </div>
          )}
        </For>
      </dl>
    </Card>
  );
}

/** `1,000`, `1 000` and `1000`; undefined for everything else. */
function readCount(text: string): number | undefined {
  const digits = text.replace(/[,\s]/g, "");
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
