// A form's frame: the error of the form as a whole, and a summary when several fields are invalid.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { counted } from "../../lib/plural.ts";
import type { Failure } from "../../lib/read-failure.ts";
import { Button, DialogActions } from "../buttons/button.tsx";
import { LeaveGuard } from "../dialogs/leave-guard.tsx";
import { Banner } from "../notices/banner.tsx";
import { Reference } from "../states/states.tsx";
import { OfflineNote } from "../states/use-online.tsx";

/** A form with any fields. */
export type AnyForm = {
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly failure: () => Failure | undefined;
  readonly dirty: () => boolean;
  readonly pending: () => boolean;
  readonly submit: (event: SubmitEvent & { currentTarget: HTMLFormElement }) => void;
};

type FormFrameProps = {
  form: AnyForm;
  children: JSX.Element;
  /** The form shows its failures elsewhere. */
  hideFailure?: boolean | undefined;
  /** What is entered is not asked about, for example where one signs in. */
  mayBeLost?: boolean | undefined;
  class?: string | undefined;
};

export function FormFrame(props: FormFrameProps): JSX.Element {
  const wrong = () => Object.values(props.form.errors).filter((text) => text !== undefined);
  return (
    <form novalidate onSubmit={props.form.submit} class={props.class ?? "flex flex-col gap-5"}>
      <Show when={!props.hideFailure && props.form.failure()}>
        {(failure) => (
          <Banner tone="danger" urgent>
            {describeFailure(failure())} <Reference id={failure().requestId} />
          </Banner>
        )}
      </Show>
      <Show when={wrong().length > 1}>
        <p class="sr-only" role="status">
          Fix {counted(wrong().length, "error")}: {wrong().join(" ")}
        </p>
      </Show>
      {props.children}
      <OfflineNote />
      <Show when={!props.mayBeLost}>
        <LeaveGuard dirty={props.form.dirty()} pending={props.form.pending()} />
      </Show>
    </form>
  );
}

type SubmitButtonProps = {
  form: Pick<AnyForm, "pending">;
  label: string;
  /** While the form is being sent: "Creating…". */
  pendingLabel: string;
  wide?: boolean | undefined;
};

export function SubmitButton(props: SubmitButtonProps): JSX.Element {
  return (
    // As wide as its text, unless it is to be wide.
    <div>
      <Button
        type="submit"
        variant="primary"
        wide={props.wide}
        pending={props.form.pending()}
        pendingLabel={props.pendingLabel}
      >
        {props.label}
      </Button>
    </div>
  );
}

type FormActionsProps = Omit<SubmitButtonProps, "wide"> & { onCancel?: (() => void) | undefined };

/** At the end of a dialog's form. */
export function FormActions(props: FormActionsProps): JSX.Element {
  return (
    <DialogActions>
      <Show when={props.onCancel}>{(cancel) => <Button onClick={cancel()}>Cancel</Button>}</Show>
      <SubmitButton {...props} wide />
    </DialogActions>
  );
}

/** Tells password managers whose password a form asks for, if the page has no field for it. */
export function UsernameHint(props: { email: string | undefined }): JSX.Element {
  return (
    <input
      type="email"
      name="username"
      autocomplete="username"
      value={props.email || ""}
      readonly
      hidden
    />
  );
}
