// The dialog that sets a budget, or changes the limit of one: subject and period of a budget stay.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { api, type Inputs } from "../../lib/api.ts";
import { chatModelsOf, realModelsOf, useModels } from "../../lib/queries.ts";
import { useAccount } from "../../lib/session.ts";
import { checkUsd } from "../../lib/typed-text.ts";
import { readUsd } from "../../lib/typed-usd.ts";
import { useQuery } from "../../lib/use-query.ts";
import { type Choice, choicesOf, RadioCards, Select } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LimitField } from "../shared/limit-field.tsx";
import type { Budget } from "../shared/use-budgets.ts";
import { useKeyNames } from "../shared/use-key-names.ts";
import { useProjects } from "../shared/use-projects.ts";
import { subjectOf } from "./subject-of.ts";

const subjectNames = {
  account: "The account",
  project: "A project",
  member: "A member",
  key: "An API key",
} as const;

type BudgetInput = Inputs["budgets"]["set"];
type Kind = BudgetInput["kind"];
type Period = BudgetInput["period"];

type SetBudgetProps = {
  /** The budget to change. */
  of: Budget | undefined;
  /** The member that a new one is offered for. */
  memberId: string | undefined;
  onClose: () => void;
  onSet: (name: string) => void;
};

type BudgetValues = {
  kind: Kind;
  subjectId: string;
  amount: string;
  period: Period;
  effect: "hard" | "soft";
};

function valuesOf(budget: Budget | undefined, memberId: string | undefined): BudgetValues {
  return {
    kind: budget?.kind ?? (memberId === undefined ? "account" : "member"),
    subjectId: budget?.subjectId ?? memberId ?? "",
    amount: budget?.limitUsd ?? "",
    period: budget?.period ?? "month",
    effect: budget?.hard === false ? "soft" : "hard",
  };
}

export function SetBudget(props: SetBudgetProps): JSX.Element {
  const account = useAccount();
  const subjectsOf = useSubjects();
  const form = createForm({
    initial: valuesOf(props.of, props.memberId),
    fieldOf: { limitUsd: "amount" },
    validate: ({ kind, subjectId, amount }) => ({
      subjectId: kind !== "account" && subjectId === "" ? "Choose one." : undefined,
      amount: checkUsd(amount, { zero: true }),
    }),
    async submit({ kind, subjectId: chosen, amount, period, effect }) {
      const subjectId = kind === "account" ? (account()?.id ?? "") : chosen;
      const hard = kind === "key" ? (props.of?.hard ?? true) : effect === "hard";
      await api.budgets.set.mutate({ kind, subjectId, period, limitUsd: readUsd(amount), hard });
      const name = subjectsOf(kind).find(({ value }) => value === subjectId)?.label;
      props.onSet(props.of ? subjectOf(props.of).name : (name ?? account()?.name ?? ""));
    },
  });
  const choose = (kind: Kind) => {
    form.set("kind", kind);
    form.set("subjectId", "");
  };
  const models = useModels();
  return (
    <FormDialog
      form={form}
      title={props.of ? `Change the budget of ${subjectOf(props.of).name}` : "Set budget"}
      label="Set budget"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <Show when={props.of === undefined}>
        <SubjectFields
          kind={form.values.kind}
          subjectId={form.values.subjectId}
          error={form.errors.subjectId}
          subjects={subjectsOf(form.values.kind)}
          onKind={choose}
          onSubject={(id) => form.set("subjectId", id)}
        />
      </Show>
      <LimitField
        form={form}
        label="Amount"
        model={chatModelsOf(realModelsOf(models.data))[0]}
        keepsPeriod={props.of !== undefined}
      />
      <Show
        when={form.values.kind !== "key"}
        fallback={
          <p class="text-sm text-muted">
            A budget of a key is its spend limit: it blocks requests.
          </p>
        }
      >
        <RadioCards
          legend="At the limit"
          name="effect"
          value={form.values.effect}
          onChange={(effect) => form.set("effect", effect)}
          choices={[
            {
              value: "hard",
              label: "Block requests",
              hint: "Hard: 402 budget_reached until it resets or is raised",
            },
            { value: "soft", label: "Alert only", hint: "Soft: requests are still answered" },
          ]}
        />
      </Show>
      <Show when={props.of === undefined}>
        <p class="text-sm text-muted">A budget of the same subject and period is replaced.</p>
      </Show>
    </FormDialog>
  );
}

type SubjectFieldsProps = {
  kind: Kind;
  subjectId: string;
  error: string | undefined;
  subjects: readonly Choice<string>[];
  onKind: (kind: Kind) => void;
  onSubject: (id: string) => void;
};

function SubjectFields(props: SubjectFieldsProps): JSX.Element {
  const account = useAccount();
  const kinds = () =>
    choicesOf(subjectNames).filter(
      ({ value }) => value !== "member" || account()?.kind === "organization",
    );
  return (
    <div class="grid items-start gap-4 sm:grid-cols-[12rem_1fr]">
      <Select
        label="For"
        name="kind"
        value={props.kind}
        onChange={props.onKind}
        choices={kinds()}
      />
      <Show when={props.kind !== "account"}>
        <Select
          label="Which one"
          name="subjectId"
          value={props.subjectId}
          error={props.error}
          onChange={props.onSubject}
          choices={[{ value: "", label: "—" }, ...props.subjects]}
        />
      </Show>
    </div>
  );
}

/** What can have a budget, by kind; empty while it loads. */
function useSubjects(): (kind: Kind) => readonly Choice<string>[] {
  const projects = useProjects();
  const keys = useKeyNames();
  const account = useAccount();
  const members = useQuery(() => ({
    queryKey: ["members", "list"],
    queryFn: ({ signal }) => api.members.list.query(undefined, { signal }),
    enabled: account()?.kind === "organization",
  }));
  const choices = createMemo(() => ({
    account: [],
    project: (projects.data ?? [])
      .filter(({ archivedAt }) => archivedAt === null)
      .map(({ id, name }) => ({ value: id, label: name })),
    member: (members.data ?? []).map(({ id, email }) => ({ value: id, label: email })),
    key: keys()
      .filter(({ status }) => status !== "revoked")
      .map(({ id, name, masked }) => ({ value: id, label: `${name} (${masked})` })),
  }));
  return (kind) => choices()[kind];
}
