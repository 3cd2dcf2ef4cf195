// Texts of the incidents page at the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  what: "the incidents",
  title: "Incidents",
  description: "What the status page and its feed tell everyone, without the reasons given here.",
  caption: "Incidents, newest first",
  none: "No incidents yet.",
  incident: "Incident",
  impact: "Impact",
  of: "Affects",
  all: "everything",
  state: "State",
  start: "Started",
} as const;

const impact = { degraded: "Degraded", outage: "Outage", maintenance: "Maintenance" } as const;

const state = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
} as const;

const open = {
  button: "Open an incident…",
  title: "Open an incident?",
  body: "It is on the status page at once.",
  confirm: "Publish",
  name: "Title",
  model: "Model",
  provider: "Provider",
  all: "Leave empty for all.",
} as const;

const update = {
  button: "Update…",
  title: "Update “{title}”?",
  body: "The update is on the status page at once.",
  confirm: "Publish",
} as const;

const text = { label: "What readers are told", hint: "A sentence or two in plain words." } as const;

const reasonHint = { text: "For the operators' log; readers do not see it." } as const;

export const t = createTexts({ list, impact, state, open, update, text, reasonHint });
