// Asks for the code of a second factor: of an authenticator app, or one of the recovery codes.
import { codeCharsMax } from "@turnpike/terms";
import type { ComponentProps, JSX } from "solid-js";
import { createEffect, on, Show } from "solid-js";
import { Button } from "../buttons/button.tsx";
import { TextField } from "../forms/text-field.tsx";

const codeNames = {
  totp: "Code of your authenticator app",
  recovery_code: "Recovery code",
} as const;

const codeHints = {
  totp: "Six digits.",
  recovery_code: "One of the ten you saved. It works once.",
} as const;

const codeUseNames = {
  totp: "Use your authenticator app",
  recovery_code: "Use a recovery code",
} as const;

export type CodeMethod = "totp" | "recovery_code";

type FactorFieldProps = {
  method: CodeMethod;
  field: Omit<ComponentProps<typeof TextField>, "label">;
};

export function FactorField(props: FactorFieldProps): JSX.Element {
  const isApp = () => props.method === "totp";
  let input: HTMLInputElement | undefined;
  // `autofocus` works only while a page loads. Again when another method was chosen: its button is gone.
  createEffect(
    on(
      () => props.method,
      () => setTimeout(() => input?.focus()),
    ),
  );
  return (
    <TextField
      {...props.field}
      ref={(element) => {
        input = element;
      }}
      label={codeNames[props.method]}
      hint={codeHints[props.method]}
      inputmode={isApp() ? "numeric" : "text"}
      autocomplete={isApp() ? "one-time-code" : "off"}
      autocapitalize="none"
      spellcheck={false}
      maxlength={codeCharsMax}
      mono
      autofocus
    />
  );
}

type OtherMethodProps = {
  method: string;
  methods: readonly string[];
  onChange: (method: CodeMethod) => void;
};

/** Buttons for what else may be used. */
export function OtherMethods(props: OtherMethodProps): JSX.Element {
  const offered = (method: CodeMethod) => props.method !== method && props.methods.includes(method);
  return (
    <>
      {(["totp", "recovery_code"] as const).map((method) => (
        <Show when={offered(method)}>
          <Button variant="ghost" wide onClick={() => props.onChange(method)}>
            {codeUseNames[method]}
          </Button>
        </Show>
      ))}
    </>
  );
}
