// Retries a request that the server refused because the password was not entered recently: takes the
// password from the form, or asks for it in a dialog, and sends the same request once more.
import type { Operation, OperationResultEnvelope, TRPCClientError, TRPCLink } from "@trpc/client";
import { observable, observableToPromise, type Unsubscribable } from "@trpc/server/observable";
import type { AppRouter } from "@turnpike/api";
import { readFailure } from "../read-failure.ts";
import { askForProof } from "./prompt.ts";

/** For a form that asks for the password itself: `mutate(input, withPassword(password))`. */
export function withPassword(password: string): { context: { stepUpPassword: string } } {
  return { context: { stepUpPassword: password } };
}

type Refused = TRPCClientError<AppRouter>;

export const stepUpLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable<OperationResultEnvelope<unknown, Refused>, Refused>((observer) => {
      let running: Unsubscribable | undefined;
      let closed = false;
      const prove = async (): Promise<boolean> => {
        const { stepUpPassword: password } = op.context;
        if (typeof password !== "string") return askForProof();
        await observableToPromise(next(stepUpOperation(op, password)));
        return true;
      };
      const send = (isRetry: boolean) => {
        running = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(refused) {
            if (isRetry || readFailure(refused).code !== "step_up_required") {
              observer.error(refused);
              return;
            }
            prove().then(
              (proved) => {
                if (closed) return;
                if (proved) send(true);
                else observer.error(refused);
              },
              // Why step-up failed explains more than that it was required.
              (failed: Refused) => observer.error(failed),
            );
          },
        });
      };
      send(false);
      return () => {
        closed = true;
        running?.unsubscribe();
      };
    });

function stepUpOperation(op: Operation, password: string): Operation {
  const input = { method: "password", password };
  return { ...op, type: "mutation", path: "auth.stepUp", input };
}
