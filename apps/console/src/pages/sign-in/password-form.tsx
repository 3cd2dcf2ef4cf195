// The form behind an emailed link: an introduction, the account's password, and one button.
import type { ComponentProps, JSX } from "solid-js";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/text-field.tsx";

type PasswordFormProps = {
  form: ComponentProps<typeof FormFrame>["form"] & {
    readonly pending: () => boolean;
    readonly field: (name: "password") => Omit<ComponentProps<typeof PasswordField>, "label">;
  };
  intro: string;
  submit: string;
  submitting: string;
  /** Below the button: an alternative. */
  children?: JSX.Element;
};

export function PasswordForm(props: PasswordFormProps): JSX.Element {
  return (
    <FormFrame form={props.form} mayBeLost>
      <p class="text-muted">{props.intro}</p>
      <PasswordField
        {...props.form.field("password")}
        label="Password"
        autocomplete="current-password"
        autofocus
      />
      <SubmitButton form={props.form} pendingLabel={props.submitting} wide>
        {props.submit}
      </SubmitButton>
      {props.children}
    </FormFrame>
  );
}
