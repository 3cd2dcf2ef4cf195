// The tone in which each state is shown.
import type { Tone } from "../../ui/status-pill.tsx";
import type { State } from "./status-document.ts";

export const stateTones = {
  operational: "success",
  degraded: "warning",
  outage: "danger",
  maintenance: "info",
} as const satisfies Record<State, Tone>;
