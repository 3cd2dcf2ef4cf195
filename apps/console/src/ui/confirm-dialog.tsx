// Asks before a change on the server, makes it, and says in place why it failed. It closes once what shows the change is
// loaded again, so that the focus returns to a row in its new place.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, lazy, onMount, Show, Suspense } from "solid-js";
import { describeError } from "../lib/describe-failure.ts";
import { loadOnce } from "../lib/load-once.ts";
import type { AlertDialogProps } from "./alert-dialog.tsx";
import { showToast } from "./toasts.tsx";
import type { ChangeOptions } from "./use-change.ts";

// Loaded after the page: the library of overlays is larger than most pages.
const AlertDialog = lazy(loadOnce(() => import("./alert-dialog.tsx")));

type Question = Pick<
  AlertDialogProps,
  "title" | "children" | "confirmLabel" | "pendingLabel" | "destructive" | "typeToConfirm"
>;

type ConfirmDialogProps<Of, Answer> = Question &
  ChangeOptions<Of, Answer> & {
    /** What it is about; without, it is closed. */
    of: Of | false | undefined;
    onClose: () => void;
    change: (of: Of) => Promise<Answer>;
  };

export function ConfirmDialog<Of, Answer>(props: ConfirmDialogProps<Of, Answer>): JSX.Element {
  const client = useQueryClient();
  const sending = useMutation(() => ({
    mutationFn: (of: Of) => props.change(of),
    async onSuccess(answer: Answer, of: Of) {
      const { toast } = props;
      // Before what it names is gone.
      const text = typeof toast === "function" ? toast(answer, of) : toast;
      if (props.refreshes) await client.invalidateQueries({ queryKey: props.refreshes });
      props.onClose();
      await props.onDone?.(answer, of);
      if (text !== undefined) showToast(text);
    },
  }));
  // A change under way is not called back: the question stays until its outcome is known.
  const close = () => {
    if (sending.isPending) return;
    sending.reset();
    props.onClose();
  };
  // Before it opens: it notes what had the focus then.
  onMount(() => void AlertDialog.preload().catch(() => undefined));
  const used = createMemo((before: boolean) => before || Boolean(props.of), false);
  return (
    <Show when={used()}>
      <Suspense>
        <AlertDialog
          {...props}
          open={Boolean(props.of)}
          onOpenChange={close}
          changes
          pending={sending.isPending}
          error={sending.isError ? describeError(sending.error) : undefined}
          onConfirm={() => props.of && sending.mutate(props.of)}
        />
      </Suspense>
    </Show>
  );
}
