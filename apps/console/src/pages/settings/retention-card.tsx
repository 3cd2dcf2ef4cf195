// Settings: how long the audit log of the account is kept.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { counted } from "../../lib/plural.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useChange } from "../../ui/use-change.ts";

const retentionKey = ["audit", "retention"] as const;
const offeredDays = [90, 180, 365, 730, 1_095, 2_555, 3_650];
const forEver = "";

export function RetentionCard(): JSX.Element {
  const query = useAnswer(retentionKey, (call) => api.audit.retention.query(undefined, call));
  const save = useChange(
    (days: string) =>
      api.audit.setRetention.mutate({ days: days === forEver ? null : Number(days) }),
    { refreshes: ["audit"], toast: "Saved" },
  );
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
                label: counted(days, "day"),
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
