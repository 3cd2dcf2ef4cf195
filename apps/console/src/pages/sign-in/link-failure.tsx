// Shown when an emailed link fails: an expired link with what to do instead, or the error with "Try
// again".
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { t as shared } from "../../lib/texts.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Reference } from "../../ui/states.tsx";
import { t } from "./texts.ts";

type LinkFailureProps = {
  error: unknown;
  onRetry: () => void;
  /** What to do instead of using an expired link. */
  children: JSX.Element;
};

export function LinkFailure(props: LinkFailureProps): JSX.Element {
  const failure = () => readFailure(props.error);
  return (
    <Show
      when={failure().code === "token_expired"}
      fallback={
        <>
          <Banner tone="danger" urgent>
            {describeFailure(failure())} <Reference id={failure().requestId} />
          </Banner>
          <Button onClick={props.onRetry}>{shared("action.tryAgain")}</Button>
        </>
      }
    >
      <Banner tone="warning" urgent>
        {t("link.expired")}
      </Banner>
      {props.children}
    </Show>
  );
}
