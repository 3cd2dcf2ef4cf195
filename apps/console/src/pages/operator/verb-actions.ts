// The actions of the desk that are drawn from the definitions of their verbs: what the server says a verb takes, less what
// is known of the object it is about. A new verb needs no code here.
import { getUntypedClient } from "@trpc/client";
import { type Answers, api } from "../../lib/api.ts";
import { splitList } from "../../lib/typed-text.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import { useAnswer } from "../../lib/use-query.ts";
import type { DeclaredField } from "../../ui/forms/declared-fields.tsx";
import type { AskedAction } from "./ask-action.ts";
import { showAnswer } from "./show-answer.tsx";

export type VerbForm = Answers["operator"]["desk"]["forms"]["verbs"][number];
type FormField = VerbForm["fields"][number];

/** What verbs are about: an account, or one of its keys, members or payments. */
export type DeskObject = {
  /** As its form says it. */
  readonly name: string;
  /** Of the verbs; without, any. */
  readonly nouns?: readonly string[];
  /** The field by which verbs name it. */
  readonly by: string;
  /** What is not asked for. */
  readonly known: Readonly<Record<string, string>>;
};

/** Verbs name nothing smaller than the object by these. */
const namesOfParts = ["id", "email", "member"];

/** By their labels; `worded` are those that have a better form. */
export function useVerbActions(
  worded: readonly string[],
): (of: DeskObject) => readonly (readonly [label: string, action: AskedAction])[] {
  const forms = useAnswer(["verb-forms"], (call) => api.operator.desk.forms.query({}, call));
  return (of) =>
    (forms.data?.verbs ?? [])
      .filter((form) => !worded.includes(form.name) && concerns(form, of))
      .map((form) => [form.label, verbAction(form, of)] as const);
}

const nounOf = ({ name }: VerbForm) => name.slice(0, name.indexOf("."));

export function concerns(form: VerbForm, of: DeskObject): boolean {
  const { changes, fields } = form;
  const has = (field: string) => fields.some((one) => one.name === field);
  const isOfPart = namesOfParts.some((part) => part !== of.by && !(part in of.known) && has(part));
  const isOfNoun = of.nouns?.includes(nounOf(form)) !== false;
  // Such as one that removes a member of an account.
  const isOfMember = of.by === "email" && has("account") && has("member");
  return changes && ((has(of.by) && isOfNoun) || isOfMember) && !isOfPart;
}

/** Verbs whose reason no account reads. */
const nounsOfPersons = ["operator", "person"];

export function verbAction(form: VerbForm, of: DeskObject): AskedAction {
  const idempotencyKey = crypto.randomUUID();
  const asked = form.fields.filter(
    ({ name, kind }) => !(name in of.known) && name !== "reason" && kind !== "idempotencyKey",
  );
  const isTaken = (name: string) => form.fields.some((field) => field.name === name);
  const known = Object.entries({ ...of.known, idempotencyKey }).filter(([name]) => isTaken(name));
  return {
    title: `${form.label}: ${of.name}`,
    body: `${form.summary.charAt(0).toUpperCase()}${form.summary.slice(1)}.`,
    confirmLabel: form.label,
    initial: Object.fromEntries(
      asked.map((field) => [field.name, choicesOf(field)[0]?.value ?? ""]),
    ),
    fields: asked.map(fieldOf),
    ...(nounsOfPersons.includes(nounOf(form)) && {
      reasonHint: "It is recorded with what you do.",
    }),
    destroys: form.destroys,
    run: ({ reason, ...values }) => {
      const given = asked.map((field) => [field.name, parseField(field, values[field.name] ?? "")]);
      const input = { ...Object.fromEntries([...known, ...given]), reason };
      return getUntypedClient(api).mutation(`operator.${form.name}`, input);
    },
    onDone: (answer, values) => showAnswer(form, answer, { ...of.known, ...values }),
  };
}

export function fieldOf(field: FormField): DeclaredField<Record<string, string>> {
  const { name, label, hint, isOptional: optional, charsMax } = field;
  const said = { name, label, hint, optional };
  const choices = choicesOf(field);
  if (choices.length > 0) return { kind: "select", ...said, choices };
  if (field.kind === "number") return { kind: "count", ...said };
  return { kind: "text", ...said, charsMax };
}

/** Of a field that is chosen and not typed. */
function choicesOf({ kind, choices = [], isOptional }: FormField) {
  if (kind === "flag") {
    return [
      { value: "", label: "No" },
      { value: "yes", label: "Yes" },
    ];
  }
  if (kind !== "choice") return [];
  const listed = choices.map((value) => ({ value, label: value.replaceAll("_", " ") }));
  return isOptional ? [{ value: "", label: "—" }, ...listed] : listed;
}

/** As the verb takes it: undefined is left out, an empty text that has to be given is refused by the server. */
export function parseField({ kind, isOptional }: FormField, typed: string): unknown {
  const text = typed.trim();
  if (kind === "flag") return text === "yes";
  if (text === "" && isOptional) return undefined;
  if (kind === "usd") return parseUsd(text);
  if (kind === "number") return Number(text);
  return kind === "list" ? splitList(text) : text;
}
