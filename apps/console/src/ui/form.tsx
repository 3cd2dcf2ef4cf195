// A form's frame: what went wrong as a whole, a list when several fields are wrong, and a question
// before leaving with unsaved changes.
import { useBeforeLeave } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, onCleanup, Show } from "solid-js";
import { describeFailure } from "../describe-failure.ts";
import type { Failure } from "../read-failure.ts";
import { t } from "../texts/shared.ts";
import { AlertDialog } from "./alert-dialog.tsx";
import { Banner } from "./banner.tsx";
import { Reference } from "./states.tsx";

/** A frame fits a form of any fields. */
type AnyForm = {
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly failure: () => Failure | undefined;
  readonly dirty: () => boolean;
  readonly submit: (event: SubmitEvent & { currentTarget: HTMLFormElement }) => void;
};

type FormFrameProps = {
  form: AnyForm;
  children: JSX.Element;
  /** Shows its failures elsewhere. */
  hideFailure?: boolean | undefined;
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
          {t("error.summary", { count: wrong().length })}: {wrong().join(" ")}
        </p>
      </Show>
      {props.children}
    </form>
  );
}

/** Put it into pages with forms that are saved by a button. */
export function LeaveGuard(props: { form: Pick<AnyForm, "dirty"> }): JSX.Element {
  const [retry, setRetry] = createSignal<() => void>();
  useBeforeLeave((event) => {
    if (event.defaultPrevented || !props.form.dirty() || mayLeave(event.to)) return;
    event.preventDefault();
    setRetry(() => () => event.retry(true));
  });
  const warn = (event: BeforeUnloadEvent) => {
    if (props.form.dirty()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  onCleanup(() => removeEventListener("beforeunload", warn));
  return (
    <AlertDialog
      open={retry() !== undefined}
      onOpenChange={() => setRetry(undefined)}
      title={t("state.unsaved")}
      confirmLabel={t("action.leave")}
      cancelLabel={t("action.stay")}
      onConfirm={() => {
        const leave = retry();
        setRetry(undefined);
        leave?.();
      }}
    >
      {t("state.unsavedBody")}
    </AlertDialog>
  );
}

/** A new query string is the same page; an expired session leaves in any case, with a draft kept. */
function mayLeave(to: string | number): boolean {
  const path = typeof to === "string" ? to.split(/[?#]/)[0] : undefined;
  return path === location.pathname || path === "/login";
}
