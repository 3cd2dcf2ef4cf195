// What refused a call: a budget, with what is left of it by now, or the rule of a guardrail; whose it is, and where it
// can be changed.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatSum } from "../../lib/format.ts";
import { useAccount, useMay } from "../../lib/session.ts";
import { periodEnds } from "../../product/keys/key-spend.tsx";
import { type Budget, useBudgets } from "../../product/limits/use-budgets.ts";
import { useProjects } from "../../product/projects/use-projects.ts";
import { Figure, Time } from "../../ui/figures/figures.tsx";

type Refusal = Pick<Answers["logs"]["detail"], "budget" | "guardrail">;

export default function RefusedBy(props: Refusal): JSX.Element {
  return (
    <>
      <Show when={props.budget}>{(budget) => <ReachedBudget of={budget()} />}</Show>
      <Show when={props.guardrail}>{(guardrail) => <BrokenRule of={guardrail()} />}</Show>
    </>
  );
}

function ReachedBudget(props: { of: NonNullable<Refusal["budget"]> }): JSX.Element {
  const query = useBudgets();
  const mayChange = useMay("budgets.change");
  const budget = () =>
    query.data?.budgets.find(
      ({ kind, subjectId, period }) =>
        kind === props.of.kind && subjectId === props.of.subjectId && period === props.of.period,
    );
  const whose = ({ subjectName }: Budget) =>
    ({
      account: "It is the budget of the account:",
      project: `It is the budget of the project ${subjectName}:`,
      member: `It is the budget of ${subjectName}:`,
    })[props.of.kind];
  return (
    <Switch>
      <Match when={budget()}>
        {(found) => (
          <p class="mt-2">
            {whose(found())} <Figure>{formatSum(found().spentUsd)}</Figure> of{" "}
            <Figure>{formatAmount(found().limitUsd)}</Figure> are spent{periodEnds[props.of.period]}
            .{" "}
            {found().resetsAt === null ? (
              "It never resets."
            ) : (
              <>
                It resets <Time at={found().resetsAt} />.
              </>
            )}{" "}
            <A href={`/budgets?id=${found().id}`} class="link">
              {mayChange() ? "Raise the budget" : "View the budget"}
            </A>
          </p>
        )}
      </Match>
      <Match when={query.isSuccess}>
        <p class="mt-2">
          That budget was removed since, or is another member's.{" "}
          <A href="/budgets" class="link">
            View budgets
          </A>
        </p>
      </Match>
    </Switch>
  );
}

const ruleNames: Readonly<Record<string, string>> = {
  allowed_models: "allowed models",
  allowed_providers: "allowed providers",
  max_input_usd_per_million: "price of input tokens",
  max_output_usd_per_million: "price of output tokens",
  max_call_usd: "cost of one request",
  deny_training: "only providers that do not train on prompts",
  deny_retention: "only providers that do not keep prompts",
  allowed_addresses: "allowed addresses",
  allowed_hours: "allowed days and hours",
};

function BrokenRule(props: { of: NonNullable<Refusal["guardrail"]> }): JSX.Element {
  const account = useAccount();
  const projects = useProjects();
  const name = () => projects.data?.find(({ id }) => id === props.of.subjectId)?.name ?? "";
  const whose = () => {
    if (props.of.kind === "account") return "It is a rule of the account";
    if (props.of.kind === "key") return "It is a rule of the API key";
    return `It is a rule of the project ${name()}`;
  };
  const mayChange = () => {
    const scope = account()?.permissions["guardrails.change"];
    return scope === "all" || (scope === "own" && props.of.kind === "key");
  };
  const href = () => {
    const { kind, subjectId } = props.of;
    return kind === "key" ? `/keys/${subjectId}` : `/settings/guardrails?id=${subjectId}`;
  };
  return (
    <p class="mt-2">
      {whose()}: {ruleNames[props.of.rule] ?? props.of.rule}.{" "}
      <A href={href()} class="link">
        {mayChange() ? "Change the rules" : "View the rules"}
      </A>
    </p>
  );
}
