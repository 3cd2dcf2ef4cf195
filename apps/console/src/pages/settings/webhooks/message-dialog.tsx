// One delivery: what was sent, and each attempt with what the endpoint answered.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { useAnswer } from "../../../lib/use-query.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Time } from "../../../ui/figures/figures.tsx";
import { StatusPill } from "../../../ui/figures/status-pill.tsx";
import { Loaded } from "../../../ui/states/loaded.tsx";
import { webhooksKey } from "./endpoints.ts";

type Detail = Answers["webhooks"]["message"];

export default function MessageDialog(props: { id: string; onClose: () => void }): JSX.Element {
  const query = useAnswer(
    () => [...webhooksKey, "message", props.id],
    (call) => api.webhooks.message.query({ id: props.id }, call),
  );
  return (
    <Dialog
      open
      shape="side"
      onOpenChange={() => props.onClose()}
      title={query.data ? `Delivery of ${query.data.type}` : "Deliveries"}
    >
      <Loaded query={query} what="the delivery">
        {(detail) => <MessageDetail of={detail()} />}
      </Loaded>
    </Dialog>
  );
}

function MessageDetail(props: { of: Detail }): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <div>
        <h3 class="font-medium">webhook-id</h3>
        <p translate="no" class="font-mono text-xs wrap-anywhere">
          {props.of.webhookId}
        </p>
      </div>
      <div>
        <h3 class="mb-1 font-medium">Body</h3>
        <Text of={indent(props.of.body)} />
      </div>
      <div>
        <h3 class="mb-1 font-medium">Attempts</h3>
        <Show when={props.of.log.length > 0} fallback={<p class="text-muted">No attempt yet.</p>}>
          <ol class="flex flex-col divide-y divide-border rounded-card border border-border">
            <For each={props.of.log.toReversed()}>{(attempt) => <Attempt of={attempt} />}</For>
          </ol>
        </Show>
      </div>
    </div>
  );
}

function Attempt(props: { of: Detail["log"][number] }): JSX.Element {
  return (
    <li class="flex flex-col gap-2 p-3">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span class="font-medium">Attempt {props.of.number}</span>
        <StatusPill tone={props.of.error === null ? "success" : "danger"}>
          {props.of.status ?? "Failed"}
        </StatusPill>
        <Time at={props.of.at} absolute="second" />
        <span class="text-muted">{props.of.durationMs} ms</span>
      </div>
      <Show when={props.of.error}>
        <p class="wrap-anywhere">{props.of.error}</p>
      </Show>
      <Show when={props.of.answer}>
        <h4 class="text-sm text-muted">Answer</h4>
        <Text of={props.of.answer} />
      </Show>
    </li>
  );
}

function Text(props: { of: string }): JSX.Element {
  return (
    <pre
      translate="no"
      class="max-h-64 overflow-auto rounded-control bg-surface p-3 text-xs wrap-anywhere whitespace-pre-wrap"
    >
      {props.of}
    </pre>
  );
}

function indent(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
