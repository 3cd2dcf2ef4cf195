// A change on the server made by one click: what shows it is loaded again, and a toast says that it is done, or why
// not.
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/solid-query";
import { describeError } from "../../lib/describe-failure.ts";
import { showToast } from "../notices/toasts.tsx";

export type ChangeOptions<Input, Answer> = {
  /** Loaded again. */
  readonly refreshes?: QueryKey | undefined;
  readonly onDone?: ((answer: Answer, input: Input) => unknown) | undefined;
  /** Says that it is done, where the page does not show it. */
  readonly toast?: string | ((answer: Answer, input: Input) => string) | undefined;
};

export function useChange<Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Input, Answer>,
) {
  const client = useQueryClient();
  // Also after a failure: someone else may have changed it.
  const refresh = async () => {
    if (options.refreshes) await client.invalidateQueries({ queryKey: options.refreshes });
  };
  return useMutation(() => ({
    mutationFn: change,
    async onSuccess(answer: Answer, input: Input) {
      const { toast } = options;
      // Before what it names is gone.
      const text = typeof toast === "function" ? toast(answer, input) : toast;
      await refresh();
      await options.onDone?.(answer, input);
      if (text !== undefined) showToast(text);
    },
    onError(error: Error) {
      showToast({ text: describeError(error), isError: true });
      return refresh();
    },
  }));
}
