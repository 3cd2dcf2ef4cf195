// The state of somebody's first request: received with what it cost, failed with the reason, or still
// awaited.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, Match, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatExactUsd } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { AddFundsLink } from "../../shell/add-funds.tsx";
import { Spinner } from "../../ui/buttons/spinner.tsx";
import { CircleAlert, CircleCheck } from "../../ui/icons.ts";
import { explainError } from "../usage/api-errors.ts";

type Row = {
  readonly id: string;
  readonly outcome: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly costUsd: string;
};

type FirstRequestProps = {
  /** The newest requests, newest first. */
  rows: readonly Row[];
  /** There were others before: it is the next one that is awaited. */
  isNext?: boolean;
  /** There are older ones than these: none of them is the first. */
  hasOlder?: boolean;
};

export function FirstRequest(props: FirstRequestProps): JSX.Element {
  const answered = () => props.rows.findLast((row) => row.outcome === "completed");
  const isFirst = () => !props.isNext && !props.hasOlder;
  return (
    <Switch fallback={<Waiting for={props.isNext ? "next" : "first"} />}>
      <Match when={answered()}>
        {(row) => <Received of={row()} as={isFirst() ? "First request" : "Request"} />}
      </Match>
      <Match when={props.rows[0]}>{(row) => <Failed of={row()} />}</Match>
    </Switch>
  );
}

const pollMs = 2_000;

type FirstRequestOfKeyProps = Pick<FirstRequestProps, "isNext"> & { keyId: string };

/** Of one key, from now on. */
export default function FirstRequestOfKey(props: FirstRequestOfKeyProps): JSX.Element {
  const from = new Date().toISOString();
  const query = useQuery(() => ({
    queryKey: ["logs", "first", props.keyId],
    queryFn: ({ signal }) => api.logs.list.query({ from, keyIds: [props.keyId] }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.rows.some((row) => row.outcome === "completed") ? false : pollMs,
  }));
  const rows = createMemo(() => query.data?.rows ?? []);
  return (
    <div role="status" class="text-sm">
      <FirstRequest
        rows={rows()}
        isNext={props.isNext ?? false}
        hasOlder={typeof query.data?.nextCursor === "string"}
      />
    </div>
  );
}

function Waiting(props: { for: "first" | "next" }): JSX.Element {
  return (
    <p class="flex items-center gap-2 text-muted">
      <Spinner />
      Waiting for the {props.for} request…
    </p>
  );
}

function Received(props: { of: Row; as: string }): JSX.Element {
  return (
    <p class="flex items-start gap-2">
      <CircleCheck class="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
      <span class="figures wrap-anywhere">
        {props.as} received: {formatExactUsd(props.of.costUsd)}.{" "}
        <A href={`/logs?id=${props.of.id}`} class="link whitespace-nowrap">
          View log
        </A>
      </span>
    </p>
  );
}

/** Where the cause can be fixed; the log has the details. */
const remedies: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  model_not_found: { href: "/models", label: "Browse models" },
  key_limit_reached: { href: "/keys", label: "Check your API keys" },
  key_disabled: { href: "/keys", label: "Check your API keys" },
  key_expired: { href: "/keys", label: "Check your API keys" },
  model_not_allowed: { href: "/keys", label: "Check your API keys" },
  address_not_allowed: { href: "/keys", label: "Check your API keys" },
  guardrail_blocked: { href: "/keys", label: "Check your API keys" },
};

function Failed(props: { of: Row }): JSX.Element {
  const code = () => props.of.errorCode ?? String(props.of.status);
  return (
    <div class="flex items-start gap-2">
      <CircleAlert class="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
      <div class="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p class="font-medium">
          Your request arrived and failed: {props.of.status}, {code()}
        </p>
        <p>{explainError(code())}</p>
        <p class="flex flex-wrap gap-x-4 gap-y-1">
          <Switch>
            <Match when={code() === "insufficient_quota"}>
              <AddFundsLink />
            </Match>
            <Match when={remedies[code()]}>
              {(remedy) => (
                <A href={remedy().href} class="link">
                  {remedy().label}
                </A>
              )}
            </Match>
          </Switch>
          <A href={`/logs?id=${props.of.id}`} class="link">
            View log
          </A>
        </p>
        <p class="text-muted">
          You can leave this page open: your next request appears here automatically.
        </p>
      </div>
    </div>
  );
}
