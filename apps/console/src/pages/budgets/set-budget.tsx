// The dialog that sets a budget, or changes the limit of one: subject and period of a budget stay.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { api, type Inputs } from "../../lib/api.ts";
import { chatModelsOf, realModelsOf, useModels } from "../../lib/queries.ts";
import { useAccount } from "../../lib/session.ts";
import { checkUsd } from "../../lib/typed-text.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import { useQuery } from "../../lib/use-query.ts";
import { useKeyNames } from "../../product/keys/use-key-names.ts";
import { LimitField } from "../../product/limits/limit-field.tsx";
import type { Budget } from "../../product/limits/use-budgets.ts";
import { useProjects } from "../../product/projects/use-projects.ts";
import ChangeDialog, { type Change } from "../../ui/dialogs/change-dialog.tsx";
import { type Choice, choicesOf, RadioCards, Select } from "../../ui/forms/choices.tsx";
import type { Form } from "../../ui/forms/create-form.ts";
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

export default function SetBudget(props: SetBudgetProps): JSX.Element {
  const account = useAccount();
  const subjectsOf = useSubjects();
  const models = useModels();
  const { of, onClose } = props;
  const nameOf = ({ kind, subjectId }: BudgetValues) => {
    if (of) return subjectOf(of).name;
    const subject = subjectsOf(kind).find(({ value }) => value === subjectId);
    return subject?.label ?? account()?.name ?? "";
  };
  const change: Change<BudgetValues, unknown> = {
    title: of ? `Change the budget of ${subjectOf(of).name}` : "Set budget",
    initial: valuesOf(of, props.memberId),
    fieldOf: { limitUsd: "amount" },
    validate: ({ kind, subjectId, amount }) => ({
      subjectId: kind !== "account" && subjectId === "" ? "Choose one." : undefined,
      amount: checkUsd(amount, { zero: true }),
    }),
    fields: (form) => (
      <>
        <Show when={of === undefined}>
          <SubjectFields form={form} subjects={subjectsOf(form.values.kind)} />
        </Show>
        <LimitField
          form={form}
          label="Amount"
          model={chatModelsOf(realModelsOf(models.data))[0]}
          keepsPeriod={of !== undefined}
        />
        <EffectField form={form} />
        <Show when={of === undefined}>
          <p class="text-sm text-muted">A budget of the same subject and period is replaced.</p>
        </Show>
      </>
    ),
    confirmLabel: "Set budget",
    pendingLabel: "Saving…",
    run({ kind, subjectId: chosen, amount, period, effect }) {
      const subjectId = kind === "account" ? (account()?.id ?? "") : chosen;
      const hard = kind === "key" ? (of?.hard ?? true) : effect === "hard";
      return api.budgets.set.mutate({ kind, subjectId, period, limitUsd: parseUsd(amount), hard });
    },
    // A budget of a key is its limit.
    refreshes: [["budgets"], ["keys"]],
    toast: (_, values) => `The budget of ${nameOf(values)} is set`,
  };
  return <ChangeDialog change={change} onClose={onClose} />;
}

function EffectField(props: { form: Form<BudgetValues> }): JSX.Element {
  const { form } = props;
  return (
    <Show
      when={form.values.kind !== "key"}
      fallback={
        <p class="text-sm text-muted">A budget of a key is its spend limit: it blocks requests.</p>
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
  );
}

type SubjectFieldsProps = { form: Form<BudgetValues>; subjects: readonly Choice<string>[] };

function SubjectFields(props: SubjectFieldsProps): JSX.Element {
  const { form } = props;
  const account = useAccount();
  const kinds = () =>
    choicesOf(subjectNames).filter(
      ({ value }) => value !== "member" || account()?.kind === "organization",
    );
  const choose = (kind: Kind) => {
    form.set("kind", kind);
    form.set("subjectId", "");
  };
  return (
    <div class="grid items-start gap-4 sm:grid-cols-[12rem_1fr]">
      <Select
        label="For"
        name="kind"
        value={form.values.kind}
        onChange={choose}
        choices={kinds()}
      />
      <Show when={form.values.kind !== "account"}>
        <Select
          label="Which one"
          name="subjectId"
          value={form.values.subjectId}
          error={form.errors.subjectId}
          onChange={(id) => form.set("subjectId", id)}
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
