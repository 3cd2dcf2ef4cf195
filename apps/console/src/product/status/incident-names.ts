// What the states of models and of incidents are called, on the status page and at the operator's desk.
import type { IncidentImpact, IncidentState } from "@turnpike/terms";

export const impactNames = {
  degraded: "Degraded",
  outage: "Outage",
  maintenance: "Maintenance",
} as const satisfies Record<IncidentImpact, string>;

export const updateNames = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
} as const satisfies Record<IncidentState, string>;
