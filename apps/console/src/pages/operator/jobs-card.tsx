// The jobs that instances share: when each ran last, with which result, and a button that runs it now.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

const jobsNames = {
  running: "Running",
  finished: "Finished",
  failed: "Failed",
} as const;

type Job = Answers["operator"]["job"]["list"]["jobs"][number];

const tones = { running: "info", finished: "success", failed: "danger" } as const;

const columns: readonly Column<Job>[] = [
  { id: "name", title: "Job", cell: ({ name }) => name },
  {
    id: "state",
    title: "State",
    cell: ({ state, isRequested }) => (
      <StatusPill tone={tones[state]}>{isRequested ? "Requested" : jobsNames[state]}</StatusPill>
    ),
  },
  { id: "last", title: "Last run", cell: ({ startedAt }) => <Time at={startedAt} inRow /> },
  {
    id: "result",
    title: "Result",
    cell: ({ error, result }) => error ?? (result === "null" ? noData : result),
    class: "wrap-anywhere text-xs",
  },
];

export function JobsCard(): JSX.Element {
  const client = useQueryClient();
  const may = useOperatorMay();
  const [asking, setAsking] = createSignal<string>();
  const key = ["operator", "jobs"] as const;
  const query = useQuery(() => ({
    queryKey: key,
    queryFn: ({ signal }) => api.operator.job.list.query({}, { signal }),
  }));
  return (
    <Card title="Jobs" description="Each runs in one instance at a time." flush>
      <Loaded query={query} what="the jobs">
        {(answer) => (
          <Table
            caption="Jobs that all instances share"
            columns={columns}
            rows={answer().jobs}
            rowKey={({ name }) => name}
            actions={({ name }) => (
              <Show when={may("job.run")}>
                <Button size="small" changes onClick={() => setAsking(name)}>
                  Run now
                </Button>
              </Show>
            )}
          />
        )}
      </Loaded>
      <Show when={asking()} keyed>
        {(name) => (
          <SwitchDialog
            title={`Run “${name}” now?`}
            body="One instance runs it at once, besides its usual times."
            confirmLabel="Run now"
            run={({ reason }) => api.operator.job.run.mutate({ name, reason })}
            onClose={() => setAsking(undefined)}
            onDone={() => void client.invalidateQueries({ queryKey: key })}
          />
        )}
      </Show>
    </Card>
  );
}
