// The fields for the password of an account, and for one that is being chosen: it says how long that must be and how
// strong it is so far.
import type { ComponentProps, JSX } from "solid-js";
import { Show, splitProps } from "solid-js";
import { usePasswordMinLength } from "../../lib/session.ts";
import { PasswordField } from "../../ui/forms/text-field.tsx";
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

type AskedPasswordFieldProps = Omit<NewPasswordFieldProps, "label"> & { isNew: boolean };

/** The one field of a page. */
export function AskedPasswordField(props: AskedPasswordFieldProps): JSX.Element {
  const [own, field] = splitProps(props, ["isNew"]);
  return (
    <Show
      when={own.isNew}
      fallback={
        <PasswordField {...field} label="Password" autocomplete="current-password" autofocus />
      }
    >
      <NewPasswordField {...field} label="New password" autofocus />
    </Show>
  );
}
