// Where the link to a new address leads: posts its token once; from then on the new address signs in.
import { useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, onMount, Switch } from "solid-js";
import { api } from "../api.ts";
import { describeFailure } from "../describe-failure.ts";
import { readFailure } from "../read-failure.ts";
import { t as shared } from "../texts/shared.ts";
import { Banner } from "../ui/banner.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Reference } from "../ui/states.tsx";
import { t } from "./texts.ts";
import { useArrival } from "./use-arrival.ts";

export default function ConfirmEmailPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const arrive = useArrival();
  const confirm = useMutation(() => ({
    mutationFn: () => api.auth.confirmEmailChange.mutate({ token: query.token ?? "missing" }),
    onSuccess: () => arrive(),
  }));
  onMount(() => confirm.mutate());
  const failure = () => (confirm.isError ? readFailure(confirm.error) : undefined);
  return (
    <div class="flex flex-col gap-5">
      <Switch
        fallback={
          <p role="status" class="flex items-center gap-3 text-muted">
            <Spinner /> {t("confirm.working")}
          </p>
        }
      >
        <Match when={confirm.data}>
          {(done) => (
            <>
              <Banner tone="success" urgent>
                {t("confirm.done", { email: done().email })}
              </Banner>
              <ButtonLink href="/settings/profile" variant="primary" wide>
                {t("confirm.settings")}
              </ButtonLink>
            </>
          )}
        </Match>
        <Match when={failure()?.code === "token_expired"}>
          <Banner tone="warning" urgent>
            {t("confirm.expired")}
          </Banner>
          <p class="text-muted">{t("confirm.expiredHint")}</p>
          <ButtonLink href="/settings/profile" wide>
            {t("confirm.settings")}
          </ButtonLink>
        </Match>
        <Match when={failure()}>
          {(known) => (
            <>
              <Banner tone="danger" urgent>
                {describeFailure(known())} <Reference id={known().requestId} />
              </Banner>
              <Button onClick={() => confirm.mutate()}>{shared("action.tryAgain")}</Button>
            </>
          )}
        </Match>
      </Switch>
    </div>
  );
}
