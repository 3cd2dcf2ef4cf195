// Signing in with a passkey instead of a password: by its own button, and where the browser suggests addresses.
import type { JSX } from "solid-js";
import { onCleanup, onMount } from "solid-js";
import { api } from "../../lib/api.ts";
import { offerPasskeys, withdrawPasskeys } from "../../lib/passkeys/ask-passkey.ts";
import { PasskeyButton } from "../../ui/factor/passkey-button.tsx";
import { useArrival } from "./use-arrival.ts";

export default function PasskeySignIn(): JSX.Element {
  const arrive = useArrival();
  const ask = () => api.auth.askPasskey.mutate({});
  const give = async (credential: string) => {
    await api.auth.loginPasskey.mutate({ credential });
    await arrive();
  };
  onMount(async () => {
    const credential = await offerPasskeys(ask);
    // A passkey that is not known here any more leaves the page as it is.
    if (credential !== undefined) await give(credential).catch(() => undefined);
  });
  onCleanup(withdrawPasskeys);
  return (
    <div class="mt-3 flex flex-col gap-3">
      <PasskeyButton label="Use a passkey" ask={ask} give={give} />
    </div>
  );
}
