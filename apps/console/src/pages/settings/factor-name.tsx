// The name of a second factor, as its owner is asked for it.
import { nameCharsMax } from "@turnpike/terms";
import type { ComponentProps, JSX } from "solid-js";
import { TextField } from "../../ui/forms/text-field.tsx";

export type AddFactorProps = {
  onClose: () => void;
  /** With the recovery codes that came with it, if it is the first. */
  onDone: (name: string, codes: readonly string[]) => Promise<void>;
};

type FactorNameFieldProps = Omit<ComponentProps<typeof TextField>, "label">;

export function FactorNameField(props: FactorNameFieldProps): JSX.Element {
  return (
    <TextField
      {...props}
      label="Name"
      hint="To tell it from others."
      maxlength={nameCharsMax.factor}
      autocomplete="off"
    />
  );
}
