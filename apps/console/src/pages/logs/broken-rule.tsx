// Which rule of a guardrail refused a call: whose it is, and where it can be changed.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { useAccount } from "../../lib/session.ts";
import { useProjects } from "../shared/use-projects.ts";

const ruleNames: Readonly<Record<string, string>> = {
  allowed_models: "allowed models",
  allowed_providers: "allowed providers",
  max_input_usd_per_million: "price of input tokens",
  max_output_usd_per_million: "price of output tokens",
  max_call_usd: "cost of one call",
  deny_training: "only providers that do not train on prompts",
  deny_retention: "only providers that do not keep prompts",
  allowed_addresses: "allowed addresses",
  allowed_hours: "allowed days and hours",
};

type Broken = NonNullable<Answers["logs"]["detail"]["guardrail"]>;

export function BrokenRule(props: { of: Broken }): JSX.Element {
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
