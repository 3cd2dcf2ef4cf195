// The dialog of a change on the server, drawn from what declares it: asks for the fields, makes the change, and says in
// place why it failed. It closes once what shows the change is loaded again, so that the focus returns to a row in its
// new place.
import type { QueryKey } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { createForm, type Form, type FormOptions, type Values } from "../forms/create-form.ts";
import { type DeclaredField, DeclaredFields } from "../forms/declared-fields.tsx";
import { FormActions, FormFrame } from "../forms/form.tsx";
import { showToast } from "../notices/toasts.tsx";
import AlertDialog, { type AlertDialogProps } from "./alert-dialog.tsx";
import { Dialog } from "./dialog.tsx";

export type Change<V extends Values, Answer> = Pick<
  FormOptions<V>,
  "validate" | "fieldOf" | "draft"
> & {
  readonly title: string;
  /** What will happen, naming the object. */
  readonly text?: string | (() => JSX.Element);
  /** A verb: "Revoke key", never "OK". */
  readonly confirmLabel: string;
  /** While it is made: "Revoking…". */
  readonly pendingLabel?: string;
  /** What the fields begin with: an empty object without fields. */
  readonly initial: V;
  /** As data, or drawn where they depend on each other. */
  readonly fields?: readonly DeclaredField<V>[] | ((form: Form<V>) => JSX.Element);
  readonly run: (values: V) => Promise<Answer>;
  /** Loaded again before it closes. */
  readonly refreshes?: readonly QueryKey[];
  /** Says that it is done, where the page does not show it. */
  readonly toast?: string | ((answer: Answer, values: V) => string);
  /** After it closed. */
  readonly onDone?: ((answer: Answer, values: V) => unknown) | undefined;
  /** It is asked about and not filled in: the least destructive button has the focus. */
  readonly question?: {
    /** Red unless nothing is lost. */
    readonly destructive?: boolean | ((values: V) => boolean) | undefined;
    readonly typeToConfirm?: AlertDialogProps["typeToConfirm"];
  };
};

/** Of a change without fields. */
export type Question<Answer> = Omit<
  Change<Record<string, never>, Answer>,
  "initial" | "fields" | "fieldOf" | "draft" | "validate" | "question" | "run"
> & {
  readonly run: () => Promise<Answer>;
  readonly destructive?: boolean;
  readonly typeToConfirm?: AlertDialogProps["typeToConfirm"];
};

type ChangeDialogProps<V extends Values, Answer> = {
  change: Change<V, Answer>;
  onClose: () => void;
};

export default function ChangeDialog<V extends Values, Answer>(
  props: ChangeDialogProps<V, Answer>,
): JSX.Element {
  const refresh = useRefresh();
  const { run, refreshes = [], toast, onDone, ...options } = props.change;
  const form = createForm<V>({
    ...options,
    async submit(values) {
      const answer = await run(values);
      // Before what it names is gone.
      const text = typeof toast === "function" ? toast(answer, values) : toast;
      await refresh(...refreshes);
      props.onClose();
      await onDone?.(answer, values);
      if (text !== undefined) showToast(text);
    },
  });
  return (
    <Show
      when={props.change.question}
      fallback={<FormOf change={props.change} form={form} onClose={props.onClose} />}
    >
      {(question) => (
        <QuestionOf
          change={props.change}
          question={question()}
          form={form}
          onClose={props.onClose}
        />
      )}
    </Show>
  );
}

type PartProps<V extends Values> = {
  change: Omit<Change<V, never>, "run" | "toast" | "onDone">;
  form: Form<V>;
  onClose: () => void;
};

function FormOf<V extends Values>(props: PartProps<V>): JSX.Element {
  return (
    <Dialog
      open
      onOpenChange={() => props.onClose()}
      title={props.change.title}
      description={typeof props.change.text === "string" ? props.change.text : undefined}
    >
      <FormFrame form={props.form}>
        <FieldsOf {...props} />
        <FormActions
          form={props.form}
          label={props.change.confirmLabel}
          pendingLabel={props.change.pendingLabel ?? "Working…"}
          onCancel={() => props.onClose()}
        />
      </FormFrame>
    </Dialog>
  );
}

type QuestionProps<V extends Values> = PartProps<V> & {
  question: NonNullable<Change<V, never>["question"]>;
};

function QuestionOf<V extends Values>(props: QuestionProps<V>): JSX.Element {
  let fields: HTMLDivElement | undefined;
  const text = () => {
    const { text: said } = props.change;
    return typeof said === "function" ? said() : said;
  };
  const isDestructive = () => {
    const { destructive } = props.question;
    return typeof destructive === "function" ? destructive(props.form.values) : destructive;
  };
  const failure = () => {
    const known = props.form.failure();
    return known && describeFailure(known);
  };
  return (
    <AlertDialog
      open
      // A change under way is not called back: the question stays until its outcome is known.
      onOpenChange={() => !props.form.pending() && props.onClose()}
      title={props.change.title}
      confirmLabel={props.change.confirmLabel}
      pendingLabel={props.change.pendingLabel}
      destructive={isDestructive()}
      typeToConfirm={props.question.typeToConfirm}
      changes
      pending={props.form.pending()}
      error={failure()}
      onConfirm={() => fields && props.form.send(fields)}
    >
      <div ref={fields} class="contents">
        {text()}
        <FieldsOf {...props} />
      </div>
    </AlertDialog>
  );
}

function FieldsOf<V extends Values>(props: PartProps<V>): JSX.Element {
  const { fields = [] } = props.change;
  if (typeof fields === "function") return fields(props.form);
  return <DeclaredFields form={props.form} fields={fields} />;
}
