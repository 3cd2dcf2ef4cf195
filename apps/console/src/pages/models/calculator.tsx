// What a request of a given size costs with this model: exact, as it would be billed.
import type { JSX } from "solid-js";
import { createSignal, createUniqueId, Show } from "solid-js";
import { formatExactUsd } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { calculateCost, pricesFor } from "../shared/calculate-cost.ts";
import { hasOutput, type Model } from "./model-query.ts";

const thousand = 1_000;

export function Calculator(props: { of: Model }): JSX.Element {
  const id = createUniqueId();
  const [input, setInput] = createSignal("1000");
  const [cached, setCached] = createSignal("0");
  const [output, setOutput] = createSignal(hasOutput(props.of) ? "500" : "0");
  const countError = (text: string) =>
    readCount(text) === undefined ? "Enter a whole number." : undefined;
  const cachedError = () => {
    const tokens = readCount(cached());
    if (tokens === undefined) return "Enter a whole number.";
    return tokens > (readCount(input()) ?? tokens) ? "Can't exceed input tokens." : undefined;
  };
  const counts = () => {
    const inputTokens = readCount(input());
    const cachedTokens = readCount(cached());
    const outputTokens = readCount(output());
    if (inputTokens === undefined || cachedTokens === undefined || outputTokens === undefined)
      return;
    return cachedTokens > inputTokens ? undefined : { inputTokens, cachedTokens, outputTokens };
  };
  const field = { inputmode: "numeric", autocomplete: "off", maxlength: 12 } as const;
  return (
    <Card title="Cost calculator">
      <div class="grid gap-4 sm:grid-cols-3">
        <TextField
          {...field}
          label="Input tokens"
          error={countError(input())}
          value={input()}
          onInput={setInput}
        />
        <Show when={hasOutput(props.of)}>
          <TextField
            {...field}
            label="Cached input tokens"
            error={cachedError()}
            value={cached()}
            onInput={setCached}
          />
          <TextField
            {...field}
            label="Output tokens"
            error={countError(output())}
            value={output()}
            onInput={setOutput}
          />
        </Show>
      </div>
      <dl aria-live="polite" class="mt-5 grid grid-cols-2 gap-4 border-t border-border pt-4">
        <Result id={`${id}-one`} label="Per request" of={props.of} counts={counts()} requests={1} />
        <Result
          id={`${id}-many`}
          label="Per 1,000 requests"
          of={props.of}
          counts={counts()}
          requests={thousand}
        />
      </dl>
    </Card>
  );
}

type ResultProps = {
  id: string;
  label: string;
  of: Model;
  counts: Parameters<typeof calculateCost>[1] | undefined;
  requests: number;
};

function Result(props: ResultProps): JSX.Element {
  return (
    <div>
      <dt class="text-sm text-muted">{props.label}</dt>
      <dd class="figures mt-0.5 text-xl font-semibold tracking-tight">
        <Show when={props.counts} fallback="—">
          {(counts) =>
            formatExactUsd(
              calculateCost(pricesFor(props.of, counts().inputTokens), counts(), props.requests),
            )
          }
        </Show>
      </dd>
    </div>
  );
}

/** `1,000`, `1 000` and `1000`; undefined for everything else. */
function readCount(text: string): number | undefined {
  const digits = text.replace(/[,\s]/g, "");
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
