// How a request ended, as icon, label and color.
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { StatusPill, type Tone } from "../../ui/figures/status-pill.tsx";

type Ended = Pick<Answers["logs"]["list"]["rows"][number], "status" | "outcome">;

function toneOf(row: Ended): Tone {
  if (row.outcome === "client_closed") return "neutral";
  if (row.status >= 500) return "danger";
  return row.status >= 400 ? "warning" : "success";
}

function wordOf(row: Ended): string {
  return row.outcome === "client_closed" ? "Canceled" : `${row.status}`;
}

export function LogStatus(props: { of: Ended }): JSX.Element {
  return <StatusPill tone={toneOf(props.of)}>{wordOf(props.of)}</StatusPill>;
}
