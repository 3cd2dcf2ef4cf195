// What the states of models and of incidents are called, on the status page and at the operator's desk.

export const impactNames = {
  degraded: "Degraded",
  outage: "Outage",
  maintenance: "Maintenance",
} as const;

export const updateNames = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
} as const;
