// Uses the link of the first mail, with the password of the registration or a new one: whoever owns
// the mailbox did not necessarily sign up. Then on into the console.
import { useNavigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/text-field.tsx";
import { checkNewPassword, checkPassword, describeStrength } from "./check-fields.ts";
import { t } from "./texts.ts";
import { useArrival } from "./use-arrival.ts";

const passwordCharactersLeast = 12;

type VerifyLinkProps = { token: string; onExpired: () => void };

export function VerifyLink(props: VerifyLinkProps): JSX.Element {
  const [choosing, setChoosing] = createSignal(false);
  return (
    <Show
      when={choosing()}
      fallback={<WithKnownPassword {...props} onChoose={() => setChoosing(true)} />}
    >
      <WithNewPassword {...props} />
    </Show>
  );
}

function WithKnownPassword(props: VerifyLinkProps & { onChoose: () => void }): JSX.Element {
  const enter = useEnter(() => props.onExpired());
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({ password: checkPassword(password) }),
    submit: ({ password }) =>
      enter(password, () => api.auth.verifyEmail.mutate({ token: props.token, password })),
  });
  return (
    <FormFrame form={form}>
      <p class="text-muted">{t("verify.intro")}</p>
      <PasswordField
        {...form.field("password")}
        label={t("field.password")}
        autocomplete="current-password"
        autofocus
      />
      <Button
        type="submit"
        variant="primary"
        wide
        pending={form.pending()}
        pendingLabel={t("verify.submitting")}
      >
        {t("verify.submit")}
      </Button>
      <Button variant="ghost" wide onClick={props.onChoose}>
        {t("verify.choose")}
      </Button>
    </FormFrame>
  );
}

function WithNewPassword(props: VerifyLinkProps): JSX.Element {
  const config = useConfig();
  const enter = useEnter(() => props.onExpired());
  const least = () => config.data?.passwordMinLength ?? passwordCharactersLeast;
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({ password: checkNewPassword(password, least()) }),
    submit: ({ password }) =>
      enter(password, () =>
        api.auth.verifyWithNewPassword.mutate({ token: props.token, password }),
      ),
  });
  return (
    <FormFrame form={form}>
      <p class="text-muted">{t("verify.chooseIntro")}</p>
      <PasswordField
        {...form.field("password")}
        label={t("field.newPassword")}
        autocomplete="new-password"
        autofocus
        hint={<span aria-live="polite">{describeStrength(form.values.password, least())}</span>}
      />
      <Button
        type="submit"
        variant="primary"
        wide
        pending={form.pending()}
        pendingLabel={t("verify.submitting")}
      >
        {t("verify.chooseSubmit")}
      </Button>
    </FormFrame>
  );
}

type Verified = Awaited<ReturnType<typeof api.auth.verifyEmail.mutate>>;

/** Verifies and signs in with the same password; where that fails, the sign-in page explains. */
function useEnter(onExpired: () => void) {
  const navigate = useNavigate();
  const arrive = useArrival();
  return async (password: string, verify: () => Promise<Verified>): Promise<void> => {
    const { status, email } = await verify().catch((error: unknown) => {
      if (readFailure(error).code === "token_expired") onExpired();
      throw error;
    });
    const notice = status === "verified" ? "verified" : "already";
    try {
      if (status === "verified") {
        await api.auth.login.mutate({ email, password });
        await arrive();
        navigate("/", { replace: true });
        return;
      }
    } catch {
      // The address is verified all the same.
    }
    navigate("/login", { replace: true, state: { email, notice } });
  };
}
