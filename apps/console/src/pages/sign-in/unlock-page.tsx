// Opened from the email about too many attempts: unlocks this browser on a click.
import { useNavigate, useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LinkFailure } from "./link-failure.tsx";

export default function UnlockPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const navigate = useNavigate();
  const unlock = useMutation(() => ({
    mutationFn: () => api.auth.unlockBrowser.mutate({ token: query.token || "missing" }),
    onSuccess: ({ email }) =>
      navigate("/login", { replace: true, state: { email, notice: "unlocked" } }),
  }));
  return (
    <div class="flex flex-col gap-5">
      <Switch
        fallback={
          <>
            <p>
              Afterwards you can sign in with your password in this browser, even if others have
              tried too often. Continue only if you requested this or cannot sign in.
            </p>
            <Button
              variant="primary"
              wide
              changes
              pending={unlock.isPending}
              pendingLabel="Unlocking…"
              onClick={() => unlock.mutate()}
            >
              Unlock this browser
            </Button>
          </>
        }
      >
        <Match when={unlock.isError}>
          <LinkFailure error={unlock.error} onRetry={() => unlock.mutate()}>
            <p class="text-muted">
              Links to unlock a browser work once, for 24 hours, and only the newest one is valid.
            </p>
            <ButtonLink href="/login" wide>
              Go to sign in
            </ButtonLink>
          </LinkFailure>
        </Match>
      </Switch>
    </div>
  );
}
