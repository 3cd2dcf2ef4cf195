// What `/status.json` answers, and how it is fetched: without a session, so that it is shown while nothing else works.
import type { IncidentImpact, IncidentState } from "@turnpike/terms";

export type State = "operational" | IncidentImpact;

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

export type Incident = {
  readonly id: number;
  readonly title: string;
  readonly impact: IncidentImpact;
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
