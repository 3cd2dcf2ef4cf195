// Opened from the email about a changed password or address: undoes the change on a click.
import { useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LinkFailure } from "./link-failure.tsx";
import { t } from "./texts.ts";
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
            <p>{t("undo.intro")}</p>
            <Button
              variant="primary"
              wide
              changes
              pending={undo.isPending}
              pendingLabel={t("undo.submitting")}
              onClick={() => undo.mutate()}
            >
              {t("undo.submit")}
            </Button>
          </>
        }
      >
        <Match when={undo.data}>
          {(done) => (
            <>
              <Banner tone="success" urgent>
                <span class="wrap-anywhere">{t("undo.done", { email: done().email })}</span>
              </Banner>
              <p class="text-muted">{t("undo.next")}</p>
            </>
          )}
        </Match>
        <Match when={undo.isError}>
          <LinkFailure error={undo.error} onRetry={() => undo.mutate()}>
            <p class="text-muted">{t("undo.expiredHint")}</p>
            <ButtonLink href="/forgot-password" variant="primary" wide>
              {t("undo.reset")}
            </ButtonLink>
          </LinkFailure>
        </Match>
      </Switch>
    </div>
  );
}
