// How a request ended, as icon, word and colour.
import type { JSX } from "solid-js";
import { StatusPill, type Tone } from "../../ui/status-pill.tsx";
import { t } from "./texts.ts";
import type { LogRow } from "./use-logs-view.ts";

type Ended = Pick<LogRow, "status" | "outcome">;

function toneOf(row: Ended): Tone {
  if (row.outcome === "client_closed") return "neutral";
  if (row.status >= 500) return "danger";
  return row.status >= 400 ? "warning" : "success";
}

function wordOf(row: Ended): string {
  return row.outcome === "client_closed" ? t("state.canceled") : `${row.status}`;
}

export function LogStatus(props: { of: Ended }): JSX.Element {
  return <StatusPill tone={toneOf(props.of)}>{wordOf(props.of)}</StatusPill>;
}
