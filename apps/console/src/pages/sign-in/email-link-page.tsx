// Opened from an email: says what its link does, asks for what that needs, and does it.
import { useLocation, useNavigate, useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Match, Show, Switch } from "solid-js";
import { usePasswordMinLength } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/buttons/button.tsx";
import { Checkbox } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { checkNewPassword, checkPassword } from "./check-fields.ts";
import * as links from "./email-links.ts";
import { ExpiredLink } from "./expired-link.tsx";
import { AskedPasswordField } from "./new-password-field.tsx";
import { useArrival } from "./use-arrival.ts";

/** By the last part of the path. */
const linksByName: Readonly<Record<string, links.EmailLink>> = {
  "confirm-email": links.confirmEmail,
  "undo-change": links.undoChange,
  unlock: links.unlock,
  "recover-factors": links.cancelRecovery,
  "reset-password": links.resetPassword,
};

export default function EmailLinkPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string; cancel?: string; finish?: string }>();
  const name = useLocation().pathname.split("/").at(-1) ?? "";
  const link = query.finish ? links.finishRecovery : (linksByName[name] ?? links.undoChange);
  const token = query.finish || query.cancel || query.token;
  const [outcome, setOutcome] = createSignal<links.Outcome>();
  const form = createLinkForm(link, token ?? "", setOutcome);
  const isExpired = () => !token || form.failure()?.code === "token_expired";
  return (
    <div class="flex flex-col gap-5">
      <Switch fallback={<LinkForm link={link} form={form} />}>
        <Match when={outcome()}>
          {(done) => (
            <>
              <Banner tone="success" urgent>
                <span class="wrap-anywhere">{done().text}</span>
              </Banner>
              <Show when={done().note}>
                <p class="text-muted">{done().note}</p>
              </Show>
              <Show when={done().next}>
                {(next) => (
                  <ButtonLink href={next().href} variant="primary" wide>
                    {next().label}
                  </ButtonLink>
                )}
              </Show>
            </>
          )}
        </Match>
        <Match when={isExpired()}>
          <ExpiredLink lifetime={link.lifetime} />
          <ButtonLink href={link.instead.href} variant="primary" wide>
            {link.instead.label}
          </ButtonLink>
        </Match>
      </Switch>
    </div>
  );
}

function createLinkForm(
  link: links.EmailLink,
  token: string,
  onOutcome: (outcome: links.Outcome) => void,
) {
  const navigate = useNavigate();
  const arrive = useArrival();
  const least = usePasswordMinLength();
  return createForm({
    initial: { password: "", revokeKeys: true },
    validate: ({ password }) => {
      if (link.asks === undefined) return {};
      const check = link.asks === "password" ? checkPassword : checkNewPassword;
      return { password: check(password, least()) };
    },
    async submit(given) {
      const ending = await link.use({ token, ...given });
      // This browser's session may have ended along with all others.
      await arrive();
      if ("signIn" in ending) navigate("/login", { replace: true, state: ending.signIn });
      else onOutcome(ending);
    },
  });
}

type LinkFormProps = { link: links.EmailLink; form: ReturnType<typeof createLinkForm> };

function LinkForm(props: LinkFormProps): JSX.Element {
  return (
    <FormFrame form={props.form} mayBeLost>
      <p>{props.link.intro}</p>
      <Show when={props.link.asks}>
        {(asks) => (
          <AskedPasswordField {...props.form.field("password")} isNew={asks() === "newPassword"} />
        )}
      </Show>
      <Show when={props.link.asks === "newPassword"}>
        <Checkbox
          label="Also revoke all API keys"
          hint="Leave this on if someone else may have used your account. Applications that use these keys stop working immediately."
          name="revokeKeys"
          checked={props.form.values.revokeKeys}
          onChange={(checked) => props.form.set("revokeKeys", checked)}
        />
      </Show>
      <SubmitButton
        form={props.form}
        label={props.link.submit}
        pendingLabel={props.link.pending}
        wide
      />
    </FormFrame>
  );
}
