// Rotates the secret of a key. A key has at most two secrets: while the previous one still works, the
// dialog says until when, and offers to revoke it instead of sending a rotation that would be refused.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { GraceSeconds } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { type Accessor, createMemo, createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { formatDateTime } from "../../lib/format.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useTimeZone } from "../../lib/session.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { SecretDialog } from "../../product/keys/secret-dialog.tsx";
import { Button, DialogActions } from "../../ui/buttons/button.tsx";
import { useNow } from "../../ui/figures/use-now.ts";
import { choicesOf, RadioCards } from "../../ui/forms/choices.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { OfflineNote } from "../../ui/states/use-online.tsx";
import { endPrevious } from "./end-previous.tsx";
import { useUntil } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

type RotateKeyProps = { of: Key; onClose: () => void };

export default function RotateKey(props: RotateKeyProps): JSX.Element {
  const client = useQueryClient();
  // Only this component ever holds the secret: the mutation returns nothing.
  const [secret, setSecret] = createSignal<string>();
  const [ended, setEnded] = createSignal(false);
  const rotate = useMutation(() => ({
    async mutationFn({ key, graceSeconds }: { key: Key; graceSeconds: GraceSeconds }) {
      setSecret((await api.keys.rotate.mutate({ id: key.id, graceSeconds })).key);
    },
    // Also after a failure: someone else may have rotated it.
    onSettled: () => client.invalidateQueries({ queryKey: keysQueryKey }),
  }));
  return (
    <SecretDialog
      open
      title={`Rotate secret for ${props.of.name}`}
      description="Creates a new secret. Name, limits, and history stay the same."
      secret={secret()}
      keyId={props.of.id}
      onClose={props.onClose}
    >
      <RotateForm
        of={props.of}
        ended={ended()}
        error={rotate.error}
        pending={rotate.isPending}
        onRotate={(graceSeconds) => rotate.mutate({ key: props.of, graceSeconds })}
        onEnded={() => {
          setEnded(true);
          rotate.reset();
        }}
        onClose={props.onClose}
      />
    </SecretDialog>
  );
}

type Grace = `${GraceSeconds}`;

const graces = choicesOf<Grace>({
  0: "Stops working now",
  3600: "1 hour",
  86400: "24 hours",
  604800: "7 days",
});
/** Guarantee: a `Grace` is one of `GraceSeconds` in digits. */
const secondsOf = (grace: Grace) => Number(grace) as GraceSeconds;

type RotateFormProps = {
  of: Key;
  /** The previous secret was revoked in this dialog. */
  ended: boolean;
  error: Error | null;
  pending: boolean;
  onRotate: (graceSeconds: GraceSeconds) => void;
  onEnded: () => void;
  onClose: () => void;
};

function RotateForm(props: RotateFormProps): JSX.Element {
  const [grace, setGrace] = createSignal<Grace>("86400");
  const failure = () => (props.error === null ? undefined : readFailure(props.error));
  const refused = () => failure()?.code === "conflict";
  const error = () => {
    const known = failure();
    return known && describeFailure(known);
  };
  const waits = useWaits(props);
  const blocked = () => (refused() ? error() : waits());
  return (
    <>
      <Show
        when={blocked()}
        fallback={
          <RadioCards
            legend="The old secret works for"
            name="grace"
            value={grace()}
            onChange={setGrace}
            choices={graces}
            error={error()}
          />
        }
      >
        {(words) => (
          <Banner tone="warning" urgent={refused()}>
            {words()}
          </Banner>
        )}
      </Show>
      <OfflineNote />
      <DialogActions>
        <Button onClick={props.onClose}>Cancel</Button>
        {/* One button for both steps, so that the focus is on the second when the first is done. */}
        <Button
          variant="primary"
          changes
          pending={props.pending}
          pendingLabel="Rotating…"
          onClick={() =>
            blocked() ? endPrevious(props.of, props.onEnded) : props.onRotate(secondsOf(grace()))
          }
        >
          {blocked() ? "Revoke old secret" : "Rotate secret"}
        </Button>
      </DialogActions>
    </>
  );
}

/** Until when the previous secret still works, as a sentence; nothing once it has expired. */
function useWaits(props: Pick<RotateFormProps, "of" | "ended">): Accessor<string | undefined> {
  const now = useNow();
  const timeZone = useTimeZone();
  return createMemo(() => {
    const until = props.of.previousUntil;
    if (until === null || props.ended || new Date(until) <= now()) return undefined;
    const at = formatDateTime(new Date(until), timeZone());
    return `The old secret still works until ${at} (${useUntil(until)}). Wait until it expires, or revoke it first.`;
  });
}
