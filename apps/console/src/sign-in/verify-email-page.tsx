// Where the link of the first mail leads: posts its token once, then on to signing in. Without a
// token it is the page that tells people to look into their mailbox.
import { useNavigate, useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Match, onMount, Switch } from "solid-js";
import { api } from "../api.ts";
import { describeFailure } from "../describe-failure.ts";
import { readFailure } from "../read-failure.ts";
import { t as shared } from "../texts/shared.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { createForm } from "../ui/create-form.ts";
import { FormFrame } from "../ui/form.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Reference } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { checkEmail } from "./check-fields.ts";
import { CheckMail } from "./check-mail.tsx";
import { useEntryState } from "./entry-state.ts";
import { t } from "./texts.ts";

export default function VerifyEmailPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const entry = useEntryState();
  const [email, setEmail] = createSignal(entry.email);
  return (
    <Switch fallback={<AskAddress onSent={setEmail} />}>
      <Match when={email()}>{(known) => <CheckMail email={known()} />}</Match>
      <Match when={query.token}>{(token) => <UseToken token={token()} onSent={setEmail} />}</Match>
    </Switch>
  );
}

type UseTokenProps = { token: string; onSent: (email: string) => void };

function UseToken(props: UseTokenProps): JSX.Element {
  const navigate = useNavigate();
  const verify = useMutation(() => ({
    mutationFn: () => api.auth.verifyEmail.mutate({ token: props.token }),
    onSuccess: ({ status, email }) => {
      const notice = status === "verified" ? "verified" : "already";
      navigate("/login", { replace: true, state: { email, notice } });
    },
  }));
  onMount(() => verify.mutate());
  const failure = () => (verify.isError ? readFailure(verify.error) : undefined);
  return (
    <Switch
      fallback={
        <p role="status" class="flex items-center gap-3 text-muted">
          <Spinner /> {t("verify.working")}
        </p>
      }
    >
      <Match when={failure()?.code === "token_expired"}>
        <div class="flex flex-col gap-5">
          <Banner tone="warning" urgent>
            {t("verify.expired")}
          </Banner>
          <p class="text-muted">{t("verify.expiredHint")}</p>
          <AskAddress onSent={props.onSent} />
        </div>
      </Match>
      <Match when={failure()}>
        {(known) => (
          <div class="flex flex-col gap-4">
            <Banner tone="danger" urgent>
              {describeFailure(known())} <Reference id={known().requestId} />
            </Banner>
            <Button onClick={() => verify.mutate()}>{shared("action.tryAgain")}</Button>
          </div>
        )}
      </Match>
    </Switch>
  );
}

/** For those who have no working link. */
function AskAddress(props: { onSent: (email: string) => void }): JSX.Element {
  const form = createForm({
    initial: { email: "" },
    validate: ({ email }) => ({ email: checkEmail(email) }),
    async submit({ email }) {
      await api.auth.resendVerification.mutate({ email: email.trim() });
      props.onSent(email.trim());
    },
  });
  return (
    <FormFrame form={form}>
      <p class="text-muted">{t("verify.intro")}</p>
      <TextField
        {...form.field("email")}
        label={t("field.email")}
        type="email"
        autocomplete="email"
        inputmode="email"
        autocapitalize="none"
        spellcheck={false}
      />
      <Button
        type="submit"
        variant="primary"
        wide
        pending={form.pending()}
        pendingLabel={t("check.sending")}
      >
        {t("verify.sendNew")}
      </Button>
    </FormFrame>
  );
}
