// The guardrail of an account, a project or a key: its rules, and the buttons that change and remove them.
import type { QueryKey } from "@tanstack/solid-query";
import type { GuardrailKind } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createEffect, For, lazy, Show, untrack } from "solid-js";
import { api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useAccount } from "../../lib/session.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { askQuestion, openDialog } from "../../ui/dialogs/open-dialog.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { describeRules, type Guardrail } from "./describe-rules.ts";
import { guardrailsKey } from "./guardrails-key.ts";

const cardHints = {
  account: "Which requests may be made with any key and in the playground.",
  project: "Which requests the keys of this project may make, within the rules of the account.",
  key: "Which requests this key may make, within the rules of its project and account.",
} as const satisfies Record<GuardrailKind, string>;

// Loaded when it is first opened.
const GuardrailForm = lazy(loadOnce(() => import("./guardrail-form.tsx")));

type GuardrailCardProps = {
  kind: Guardrail["kind"];
  subjectId: string;
  /** Of the project. */
  name?: string;
  /** Scrolled into view: what a link of another page leads to. */
  isTarget?: boolean;
  /** What else shows its rules. */
  alsoRefreshes?: readonly QueryKey[];
};

export default function GuardrailCard(props: GuardrailCardProps): JSX.Element {
  const account = useAccount();
  const query = useAnswer(guardrailsKey, (call) => api.guardrails.list.query(undefined, call));
  const found = () =>
    query.data?.guardrails.find(
      ({ kind, subjectId }) => kind === props.kind && subjectId === props.subjectId,
    );
  const mayChange = () => {
    const scope = account()?.permissions["guardrails.change"];
    return scope === "all" || (scope === "own" && props.kind === "key");
  };
  const refreshes = () => [guardrailsKey, ...(props.alsoRefreshes ?? [])];
  const set = () =>
    openDialog((close) => (
      <GuardrailForm
        of={untrack(found)}
        kind={props.kind}
        subjectId={props.subjectId}
        refreshes={refreshes()}
        onClose={close}
      />
    ));
  const remove = ({ id }: Guardrail) =>
    askQuestion({
      title: "Remove all rules?",
      text: "From then on every request is allowed that no other guardrail refuses.",
      confirmLabel: "Remove all rules",
      pendingLabel: "Removing…",
      run: () => api.guardrails.remove.mutate({ id }),
      refreshes: refreshes(),
      toast: "Rules removed",
    });
  if (props.kind === "account") {
    useAsked(
      "set-guardrail",
      () => mayChange() && set(),
      () => query.data !== undefined,
    );
  }
  let place: HTMLDivElement | undefined;
  createEffect(() => {
    if (props.isTarget && query.isSuccess) place?.scrollIntoView({ block: "center" });
  });
  return (
    <div ref={place}>
      <Card
        title={
          {
            account: "Guardrail of the account",
            project: `Guardrail of the project ${props.name ?? ""}`,
            key: "Guardrail",
          }[props.kind]
        }
        description={cardHints[props.kind]}
        actions={
          <Show when={mayChange() && query.data}>
            <div class="flex gap-2">
              <Show when={found()}>
                {(guardrail) => (
                  <Button size="small" changes onClick={() => remove(guardrail())}>
                    Remove all rules
                  </Button>
                )}
              </Show>
              <Button size="small" changes onClick={set}>
                {found() ? "Change rules" : "Set rules"}
              </Button>
            </div>
          </Show>
        }
      >
        <Loaded query={query} what="the guardrails">
          {(data) => <Rules of={found()} timeZone={data().timeZone} />}
        </Loaded>
      </Card>
    </div>
  );
}

function Rules(props: { of: Guardrail | undefined; timeZone: string }): JSX.Element {
  return (
    <Show when={props.of} fallback={<p class="text-muted">No rules: every request is allowed.</p>}>
      {(guardrail) => (
        <ul class="flex flex-col gap-2">
          <For each={describeRules(guardrail().rules, props.timeZone)}>
            {(text) => <li class="wrap-anywhere">{text}</li>}
          </For>
        </ul>
      )}
    </Show>
  );
}
