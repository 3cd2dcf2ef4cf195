// The jobs that instances share: when each ran last, with which result, and a button that runs it now.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import type { Column } from "../../ui/table.tsx";
import { useAsk } from "./ask.tsx";
import type { AskedAction } from "./reason-dialog.tsx";
import { switchAction } from "./switch-action.ts";
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
  const may = useOperatorMay();
  const ask = useAsk();
  const query = useAnswer(["operator", "jobs"], (call) => api.operator.job.list.query({}, call));
  return (
    <Card title="Jobs" description="Each runs in one instance at a time." flush>
      <LoadedTable
        query={query}
        what="the jobs"
        caption="Jobs that all instances share"
        columns={columns}
        rows={({ jobs }) => jobs}
        rowKey={({ name }) => name}
        actions={({ name }) => (
          <Show when={may("job.run")}>
            <Button size="small" changes onClick={() => ask(runAction(name))}>
              Run now
            </Button>
          </Show>
        )}
      />
    </Card>
  );
}

function runAction(name: string): AskedAction {
  return switchAction({
    title: `Run “${name}” now?`,
    body: "One instance runs it at once, besides its usual times.",
    confirmLabel: "Run now",
    run: ({ reason }) => api.operator.job.run.mutate({ name, reason }),
  });
}
