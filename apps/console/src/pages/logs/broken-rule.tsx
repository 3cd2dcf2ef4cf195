// Which rule of a guardrail refused a call: whose it is, and where it can be changed.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { useAccount } from "../../lib/session.ts";
import { useProjects } from "../shared/use-projects.ts";
import { nameRule, t } from "./rule-texts.ts";

type Broken = NonNullable<Answers["logs"]["detail"]["guardrail"]>;

export function BrokenRule(props: { of: Broken }): JSX.Element {
  const account = useAccount();
  const projects = useProjects();
  const name = () => projects.data?.find(({ id }) => id === props.of.subjectId)?.name ?? "";
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
      {t(`rule.${props.of.kind}`, { name: name(), rule: nameRule(props.of.rule) })}{" "}
      <A href={href()} class="link">
        {t(mayChange() ? "rule.change" : "rule.view")}
      </A>
    </p>
  );
}
