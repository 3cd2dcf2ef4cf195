// Shown when an emailed link fails: an expired link with what to do instead, or the error with "Try
// again".
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Reference } from "../../ui/states.tsx";

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
          <Button onClick={props.onRetry}>Try again</Button>
        </>
      }
    >
      <Banner tone="warning" urgent>
        This link has expired or was already used.
      </Banner>
      {props.children}
    </Show>
  );
}
