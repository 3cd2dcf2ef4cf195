// A change of the installation, whose reason only operators read, with what callers are told where they notice.
import type { AskedAction } from "./ask-action.ts";

type SwitchAction = Pick<AskedAction, "title" | "body" | "confirmLabel" | "destroys"> & {
  /** Callers can be told something. */
  readonly hasMessage?: boolean;
  readonly run: (texts: { reason: string; message?: string }) => Promise<unknown>;
};

const messageField = {
  kind: "text",
  name: "message",
  label: "What callers read (optional)",
  hint: "Without it they read that it is switched off at the moment.",
} as const;

export function switchAction({ hasMessage = false, run, ...texts }: SwitchAction): AskedAction {
  return {
    ...texts,
    reasonHint: "Operators read it in their log.",
    fields: hasMessage ? [messageField] : [],
    run({ reason, ...values }) {
      const told = values.message?.trim() ?? "";
      return run({ reason, ...(told !== "" && { message: told }) });
    },
  };
}
