// Asks for the reason of an action and what else it takes, then does it. Every action of the desk has a reason;
// afterwards what the desk shows is loaded again.
import { reasonCharsMax } from "@turnpike/terms";
import { askChange } from "../../ui/dialogs/open-dialog.tsx";
import type { DeclaredField } from "../../ui/forms/declared-fields.tsx";
import { deskKey } from "./use-operator.ts";

type ActionValues = Record<string, string>;

/** An action, as its dialog asks for it. */
export type AskedAction = {
  readonly title: string;
  readonly body: string;
  readonly confirmLabel: string;
  readonly fields?: readonly DeclaredField<ActionValues>[];
  /** What the fields begin with, where that is not empty. */
  readonly initial?: Readonly<ActionValues>;
  /** Where the account does not read the reason. */
  readonly reasonHint?: string;
  /** Red where it is listed, and asked as a question. */
  readonly destroys?: boolean;
  readonly run: (values: Readonly<ActionValues> & { reason: string }) => Promise<unknown>;
  readonly onDone?: (answer: unknown, values: Readonly<ActionValues>) => void;
};

export function askAction(action: AskedAction): void {
  const { title, body, confirmLabel, fields = [], initial, run } = action;
  askChange<ActionValues, unknown>({
    title,
    text: body,
    initial: {
      ...Object.fromEntries(fields.map(({ name }) => [name, ""])),
      ...initial,
      reason: "",
    },
    fields: [
      ...fields,
      {
        kind: "text",
        name: "reason",
        label: "Reason",
        hint: action.reasonHint ?? "The account reads it in its audit log.",
        charsMax: reasonCharsMax,
      },
    ],
    validate: ({ reason = "" }) => ({
      reason: reason.trim() === "" ? "Give a reason." : undefined,
    }),
    confirmLabel,
    ...(action.destroys === true && { question: { destructive: true } }),
    run: ({ reason = "", ...values }) => run({ ...values, reason: reason.trim() }),
    refreshes: [deskKey],
    onDone: action.onDone,
    toast: "Done.",
  });
}
