// Settings: how long the audit log of the account is kept.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { plural } from "../../lib/plural.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { showToast } from "../../ui/toasts.tsx";

const retentionKey = ["audit", "retention"] as const;
const offeredDays = [90, 180, 365, 730, 1_095, 2_555, 3_650];
const forEver = "";

export function RetentionCard(): JSX.Element {
  const client = useQueryClient();
  const query = useQuery(() => ({
    queryKey: retentionKey,
    queryFn: ({ signal }) => api.audit.retention.query(undefined, { signal }),
  }));
  const save = useMutation(() => ({
    mutationFn: (days: string) =>
      api.audit.setRetention.mutate({ days: days === forEver ? null : Number(days) }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ["audit"] });
      showToast("Saved");
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <Card
      title="Retention"
      description="Older rows are deleted for good. Rows of the last 90 days are always kept, so that nobody can hide what they did."
    >
      <Loaded query={query} what="the retention of the audit log">
        {(retention) => (
          <SelectControl
            label="Keep the audit log for"
            value={String(retention().days ?? forEver)}
            onChange={(days) => save.mutate(days)}
            choices={[
              { value: forEver, label: "Ever" },
              ...daysBeside(retention().days).map((days) => ({
                value: String(days),
                label: plural(days, `${days} day`, `${days} days`),
              })),
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** Set elsewhere, it may be a number that is not offered here. */
function daysBeside(days: number | null): readonly number[] {
  if (days === null || offeredDays.includes(days)) return offeredDays;
  return [...offeredDays, days].toSorted((a, b) => a - b);
}
