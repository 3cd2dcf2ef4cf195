// Signing in again at a provider instead of giving a password, for those who have an identity there. The page is left
// and opened again afterwards; the action has to be repeated.
import type { JSX } from "solid-js";
import { createSignal, For } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeError } from "../../lib/describe-failure.ts";
import { useConfig } from "../../lib/session.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";

export default function ProviderProof(): JSX.Element {
  const config = useConfig();
  const [leaving, setLeaving] = createSignal<string>();
  const identities = useAnswer(["profile", "identities"], (call) =>
    api.profile.identities.query(undefined, call),
  );
  const linked = () =>
    (config.data?.signInProviders ?? []).filter(({ id }) =>
      identities.data?.some(({ providerId }) => providerId === id),
    );
  const leave = async (provider: string) => {
    setLeaving(provider);
    try {
      const next = location.pathname + location.search;
      const { url } = await api.auth.startAtProvider.mutate({ provider, next, isAgain: true });
      location.assign(url);
    } catch (error) {
      setLeaving(undefined);
      showToast({ text: describeError(error), isError: true });
    }
  };
  return (
    <For each={linked()}>
      {({ id, name }) => (
        <Button variant="ghost" wide pending={leaving() === id} onClick={() => void leave(id)}>
          Sign in again with {name}
        </Button>
      )}
    </For>
  );
}
