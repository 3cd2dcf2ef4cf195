// Under a form of the playground: what the request costs at most, or why it would be refused.
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { formatCost } from "../../../lib/format.ts";
import { describeRunFailure } from "../answers/describe-run-failure.ts";
import type { Estimate } from "./create-estimate.ts";

type EstimateLineProps = {
  estimate: Estimate | undefined;
  /** Before the amount; "At most" by default. */
  lead?: string;
};

export function EstimateLine(props: EstimateLineProps): JSX.Element {
  const maxUsd = () => (props.estimate?.kind === "estimated" ? props.estimate.maxUsd : undefined);
  const refusal = () => {
    if (props.estimate?.kind !== "failed") return undefined;
    const { failure } = props.estimate;
    return failure.message || describeRunFailure(failure, false).text;
  };
  return (
    <p role="status" class="min-w-0 text-sm text-muted wrap-break-word">
      <Switch>
        <Match when={maxUsd()}>
          {(usd) => (
            <>
              {props.lead ?? "At most"} <span class="figures">{formatCost(usd())}</span>
            </>
          )}
        </Match>
        <Match when={refusal()}>{(text) => text()}</Match>
      </Switch>
    </p>
  );
}
