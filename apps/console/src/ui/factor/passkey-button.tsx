// A button that asks the browser for the answer of a passkey and sends it.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { Button } from "../buttons/button.tsx";
import { Banner } from "../notices/banner.tsx";

type PasskeyButtonProps = {
  label: string;
  ask: () => Promise<Answers["auth"]["askPasskey"]>;
  give: (credential: string) => Promise<unknown>;
  primary?: boolean | undefined;
};

export function PasskeyButton(props: PasskeyButtonProps): JSX.Element {
  const [pending, setPending] = createSignal(false);
  const [failure, setFailure] = createSignal<string>();
  const use = async () => {
    setPending(true);
    setFailure(undefined);
    const { answerWithPasskey, PasskeyDeclined } = await import(
      "../../lib/passkeys/ask-passkey.ts"
    );
    try {
      await props.give(await answerWithPasskey(await props.ask()));
    } catch (error) {
      const declined = error instanceof PasskeyDeclined;
      setFailure(
        declined
          ? "Your browser gave no passkey. Try again, or use something else."
          : describeAnswer(error),
      );
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Show when={failure()}>
        {(text) => (
          <Banner tone="danger" urgent>
            {text()}
          </Banner>
        )}
      </Show>
      <Button
        wide
        changes
        variant={props.primary ? "primary" : "secondary"}
        pending={pending()}
        pendingLabel="Waiting for your passkey…"
        onClick={() => void use()}
      >
        {props.label}
      </Button>
    </>
  );
}

/** Of a wrong answer the server says more than "wrong password". */
function describeAnswer(error: unknown): string {
  const failure = readFailure(error);
  return failure.code === "wrong_credentials" ? failure.message : describeFailure(failure);
}
