// The field for a password that is being chosen: says how long it must be and how strong it is so far.
import type { ComponentProps, JSX } from "solid-js";
import { usePasswordMinLength } from "../../lib/session.ts";
import { PasswordField } from "../../ui/text-field.tsx";
import { describeStrength } from "./check-fields.ts";

type NewPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "autocomplete" | "hint">;

export function NewPasswordField(props: NewPasswordFieldProps): JSX.Element {
  const least = usePasswordMinLength();
  return (
    <PasswordField
      {...props}
      autocomplete="new-password"
      hint={<span aria-live="polite">{describeStrength(props.value, least())}</span>}
    />
  );
}
