// What `/status.json` answers, and how it is fetched: without a session, so that it is shown while nothing else works.

export type State = "operational" | "degraded" | "outage" | "maintenance";

export type Component = {
  readonly state: State;
  /** Over all days; null after too few calls. */
  readonly overall: number | null;
  /** By day, oldest first. */
  readonly availability: readonly (number | null)[];
  readonly firstTokenMs: readonly (number | null)[];
};

export type ModelStatus = Component & {
  readonly id: string;
  readonly name: string;
  readonly providers: readonly (Component & { readonly id: string })[];
};

export type IncidentState = "investigating" | "identified" | "monitoring" | "resolved";

export type Incident = {
  readonly id: number;
  readonly title: string;
  readonly impact: Exclude<State, "operational">;
  readonly model: string;
  readonly provider: string;
  readonly state: IncidentState;
  readonly startedAt: string;
  readonly resolvedAt: string | null;
  readonly updates: readonly {
    readonly at: string;
    readonly state: IncidentState;
    readonly text: string;
  }[];
};

export type StatusDocument = {
  readonly state: State;
  readonly ageSeconds: number;
  /** The first day of every history. */
  readonly from: string;
  readonly models: readonly ModelStatus[];
  readonly uncalledModels: number;
  readonly incidents: readonly Incident[];
};

export async function fetchStatus(signal: AbortSignal): Promise<StatusDocument> {
  const answer = await fetch("/status.json", { signal });
  if (!answer.ok) throw new Error(`/status.json answered ${answer.status}`);
  return answer.json();
}
