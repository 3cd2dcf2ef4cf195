// Opened from the email about a changed password or address: undoes the change on a click.
import { useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LinkFailure } from "./link-failure.tsx";
import { useArrival } from "./use-arrival.ts";

export default function UndoChangePage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const arrive = useArrival();
  const undo = useMutation(() => ({
    mutationFn: () => api.auth.undoChange.mutate({ token: query.token || "missing" }),
    // This browser's session ended along with all others.
    onSuccess: () => arrive(),
  }));
  return (
    <div class="flex flex-col gap-5">
      <Switch
        fallback={
          <>
            <p>
              Undo the change of your password or email address if you did not make it. This keeps
              or restores your address, signs out every session, and asks you to choose a new
              password.
            </p>
            <Button
              variant="primary"
              wide
              changes
              pending={undo.isPending}
              pendingLabel="Undoing…"
              onClick={() => undo.mutate()}
            >
              Undo the change
            </Button>
          </>
        }
      >
        <Match when={undo.data}>
          {(done) => (
            <>
              <Banner tone="success" urgent>
                <span class="wrap-anywhere">
                  Undone. {done().email} is the address of your account.
                </span>
              </Banner>
              <p class="text-muted">
                We sent you a link to choose a new password. Until you do, nobody can sign in.
              </p>
            </>
          )}
        </Match>
        <Match when={undo.isError}>
          <LinkFailure error={undo.error} onRetry={() => undo.mutate()}>
            <p class="text-muted">
              Links to undo a change work once, for 72 hours. If you already used this one, choose a
              new password to get back in.
            </p>
            <ButtonLink href="/forgot-password" variant="primary" wide>
              Choose a new password
            </ButtonLink>
          </LinkFailure>
        </Match>
      </Switch>
    </div>
  );
}
