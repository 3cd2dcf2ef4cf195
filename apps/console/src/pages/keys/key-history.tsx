// The history of a key since its creation: each change as a sentence, newest first.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatDate } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";

type Detail = Answers["keys"]["detail"];
type Line = Detail["changes"][number]["lines"][number];

export function KeyHistory(props: { of: Detail }): JSX.Element {
  const timeZone = useTimeZone();
  return (
    <Card title="History" flush>
      <ol class="divide-y divide-border text-sm">
        <For each={props.of.changes}>
          {({ at, lines }) => (
            <Row at={at}>
              <For each={told(lines)}>{(line) => <p>{describe(line, timeZone())}</p>}</For>
            </Row>
          )}
        </For>
        <Row at={props.of.key.createdAt}>Created</Row>
      </ol>
    </Card>
  );
}

function Row(props: { at: string; children: JSX.Element }): JSX.Element {
  return (
    <li class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-2.5">
      <div class="min-w-0 flex-1 basis-64 wrap-anywhere">{props.children}</div>
      <span class="text-muted">
        <Time at={props.at} />
      </span>
    </li>
  );
}

/** The end of the old secret is part of the rotation's entry. */
function told(lines: readonly Line[]): readonly Line[] {
  const rotated = lines.find(({ what }) => what === "secret");
  if (rotated === undefined) return lines;
  const old = lines.find(({ what }) => what === "oldSecret");
  const rest = lines.filter((line) => line !== rotated && line !== old);
  return [{ ...rotated, after: old?.after ?? null }, ...rest];
}

function describe({ what, before, after }: Line, timeZone: string): string {
  switch (what) {
    case "name":
      return `Renamed from ${before ?? ""} to ${after ?? ""}`;
    case "disabled":
      return after === null ? "Enabled" : "Disabled";
    case "revoked":
      return "Revoked";
    case "secret":
      return after === null
        ? "Secret rotated; the old one stopped working immediately"
        : `Secret rotated; the old one works until ${formatDate(new Date(after), timeZone)}`;
    case "oldSecret":
      return "Old secret revoked";
    default:
      return fromTo(what, before, after, timeZone);
  }
}

const limitNames = {
  expiry: "Expiry",
  daySpend: "Spend limit per day",
  weekSpend: "Spend limit per week",
  monthSpend: "Spend limit per month",
  totalSpend: "Spend limit in total",
  requestsPerMinute: "Requests per minute",
  tokensPerMinute: "Tokens per minute",
  concurrency: "Concurrent requests",
  allowedModels: "Allowed models",
  allowedAddresses: "Allowed addresses",
} as const;

function fromTo(
  what: keyof typeof limitNames,
  before: string | null,
  after: string | null,
  timeZone: string,
): string {
  const shown = (text: string | null) => {
    if (text === null) return "none";
    if (what === "expiry") return formatDate(new Date(text), timeZone);
    return what.endsWith("Spend") ? formatAmount(text) : text;
  };
  return `${limitNames[what]}: ${shown(before)} → ${shown(after)}`;
}
