// Whether the organization requires a second factor of its members, and from when.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { createTexts } from "../../lib/create-texts.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { formatDateTime } from "../../lib/format.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { type Account, meKey, useTimeZone } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select } from "../../ui/choices.tsx";
import { showToast } from "../../ui/toasts.tsx";

const t = createTexts({
  require: {
    title: "Second factors of members",
    off: "Members may sign in with their password alone. Those without a second factor are told by email when you require one.",
    on: "Members need a second factor from {at}. Without one they are refused here from then on. API keys keep working.",
    when: "Required",
    start: "Require a second factor",
    stop: "Stop requiring it",
    saving: "Saving…",
    days: { one: "In {count} day", other: "In {count} days" },
    now: "At once",
  },
});

const dayMs = 86_400_000;
const choices = (["14", "30", "7", "1", "0"] as const).map((value) => ({
  value,
  label: value === "0" ? t("require.now") : t("require.days", { count: Number(value) }),
}));

export function RequireFactorsCard(props: { of: Account }): JSX.Element {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const [days, setDays] = createSignal<(typeof choices)[number]["value"]>("14");
  const change = useMutation(() => ({
    mutationFn: (from: Date | null) =>
      api.accounts.requireFactors.mutate({ from: from?.toISOString() ?? null }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: meKey });
      showToast(shared("state.saved"));
    },
  }));
  const start = () => change.mutate(new Date(Date.now() + Number(days()) * dayMs));
  return (
    <Card title={t("require.title")}>
      <div class="flex flex-col gap-4">
        <Show when={change.isError}>
          <Banner tone="danger" urgent>
            {describeFailure(readFailure(change.error))}
          </Banner>
        </Show>
        <Show
          when={props.of.factorsRequiredFrom}
          fallback={
            <>
              <p class="text-muted">{t("require.off")}</p>
              <Select
                label={t("require.when")}
                value={days()}
                onChange={setDays}
                choices={choices}
              />
              <div>
                <Button
                  changes
                  pending={change.isPending}
                  pendingLabel={t("require.saving")}
                  onClick={start}
                >
                  {t("require.start")}
                </Button>
              </div>
            </>
          }
        >
          {(from) => (
            <>
              <p>{t("require.on", { at: formatDateTime(new Date(from()), timeZone()) })}</p>
              <div>
                <Button
                  changes
                  pending={change.isPending}
                  pendingLabel={t("require.saving")}
                  onClick={() => change.mutate(null)}
                >
                  {t("require.stop")}
                </Button>
              </div>
            </>
          )}
        </Show>
      </div>
    </Card>
  );
}
