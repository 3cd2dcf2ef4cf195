// Texts of the public status.
import { createTexts } from "../../lib/create-texts.ts";

const state = {
  operational: "Operational",
  degraded: "Degraded",
  outage: "Outage",
  maintenance: "Maintenance",
};

const all = {
  operational: "All models work.",
  degraded: "Some models do not work as they should.",
  outage: "No model works at the moment.",
  maintenance: "We are doing maintenance.",
};

const incident = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
  everything: "All models",
  at: "{model} at {provider}",
};

const page = {
  what: "the status",
  stale: "Our database does not answer. What follows is {age} old.",
  current: "Incidents now",
  past: "Past incidents",
  noPast: "No incidents in the last 90 days.",
  models: "Models",
  description:
    "Calls that were answered, by day, over the last 90 days. Refused requests are not counted.",
  none: "No model was called in the last 90 days.",
  uncalled: {
    one: "1 more model works and was not called often enough to say more.",
    other: "{count} more models work and were not called often enough to say more.",
  },
  overall: "{share} in 90 days",
  firstToken: "first token {time}",
  bars: "{name}: {share} of calls answered in 90 days. Worst day: {worst}.",
  barsWithout: "{name}: too few calls to say.",
  worst: "{day}, {share}",
  day: "{day}: {share}",
  dayWithout: "{day}: too few calls",
  providers: { one: "1 provider", other: "{count} providers" },
  start: "90 days ago",
  end: "Today",
  feed: "Atom feed",
  json: "JSON",
};

export const t = createTexts({ state, all, incident, page });
