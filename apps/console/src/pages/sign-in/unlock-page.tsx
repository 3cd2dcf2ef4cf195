// Opened from the email about too many attempts: unlocks this browser on a click.
import { useNavigate, useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LinkFailure } from "./link-failure.tsx";
import { t } from "./texts.ts";

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
            <p>{t("unlock.intro")}</p>
            <Button
              variant="primary"
              wide
              changes
              pending={unlock.isPending}
              pendingLabel={t("unlock.submitting")}
              onClick={() => unlock.mutate()}
            >
              {t("unlock.submit")}
            </Button>
          </>
        }
      >
        <Match when={unlock.isError}>
          <LinkFailure error={unlock.error} onRetry={() => unlock.mutate()}>
            <p class="text-muted">{t("unlock.expiredHint")}</p>
            <ButtonLink href="/login" wide>
              {t("unlock.signIn")}
            </ButtonLink>
          </LinkFailure>
        </Match>
      </Switch>
    </div>
  );
}
