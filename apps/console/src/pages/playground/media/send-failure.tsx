// The failure of a call for media: it can be sent again, or to another model, which is chosen in the first list of the page.
import { type JSX, Show } from "solid-js";
import { FailureNotice } from "../answers/run-notices.tsx";
import type { MediaFailure } from "./post-media.ts";

type Props = {
  /** Of a call; nothing is shown for any other. */
  result: { readonly kind: string } | MediaFailure | undefined;
  onRetry: () => void;
  place: () => HTMLElement | undefined;
};

export function SendFailure(props: Props): JSX.Element {
  const failure = () => {
    const { result } = props;
    return result !== undefined && "failure" in result ? result.failure : undefined;
  };
  return (
    <Show when={failure()}>
      {(failed) => (
        <FailureNotice
          failure={failed()}
          partial={false}
          onRetry={props.onRetry}
          onOtherModel={() => props.place()?.querySelector("select")?.focus()}
        />
      )}
    </Show>
  );
}
