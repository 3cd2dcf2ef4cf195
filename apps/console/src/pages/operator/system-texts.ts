// Texts of the page of the installation itself at the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const tab = {
  label: "Parts of the installation",
  processes: "Processes and jobs",
  queues: "Queues",
  database: "Database",
  settings: "Configuration",
} as const;

const instances = {
  what: "the processes",
  title: "Processes",
  caption: "Processes that serve this installation",
  host: "Host",
  state: "State",
  running: "Running",
  draining: "Draining",
  silent: "Silent",
  ended: "Ended",
  version: "Version",
  schema: "Schema",
  leases: "Open leases",
  granted: "Reserved",
  started: "Started",
  heartbeat: "Last heartbeat",
  unnamed: "—",
  worker: "{host}, worker {worker}",
  replica: "Reports are read from a replica, {lag} behind.",
} as const;

const jobs = {
  what: "the jobs",
  title: "Jobs",
  description: "Each runs in one instance at a time.",
  caption: "Jobs that all instances share",
  name: "Job",
  state: "State",
  running: "Running",
  finished: "Finished",
  failed: "Failed",
  requested: "Requested",
  last: "Last run",
  result: "Result",
  run: "Run now",
  runTitle: "Run “{name}” now?",
  runBody: "One instance runs it at once, besides its usual times.",
} as const;

const queues = {
  what: "the queue",
  waiting: "{count} wait; the first since",
  empty: "Nothing waits.",
  none: "Nothing failed.",
  mail: "Mails",
  mailCaption: "Mails that failed",
  recipient: "To",
  kind: "Kind",
  stripe: "Events of Stripe",
  stripeCaption: "Events of Stripe that failed",
  event: "Event",
  webhooks: "Webhooks",
  webhooksCaption: "Webhooks that failed and wait",
  account: "Account",
  url: "Endpoint",
  attempts: "Attempts",
  next: "Next attempt",
  gaveUp: "Given up",
  error: "Error",
  retry: "Try now",
  discard: "Discard",
  menu: "Actions for {name}",
  retryTitle: "Try it now?",
  retryBody: "It is tried with the next run, within a second or two.",
  discardTitle: "Discard it?",
  discardBody: "It is not tried again.",
} as const;

const database = {
  what: "the sizes",
  title: "Database, {size}",
  description: "Sizes include indexes. Rows are estimates.",
  tables: "Tables",
  tablesCaption: "Tables by size",
  partitions: "Requests by month",
  partitionsCaption: "Partitions of requests",
  name: "Name",
  size: "Size",
  rows: "Rows",
  bounds: "Ids",
} as const;

const settings = {
  what: "the configuration",
  features: "Features",
  featuresCaption: "Optional features",
  feature: "Feature",
  on: "On",
  off: "Off",
  detail: "How",
  title: "Configuration in force",
  description: "Of the process that started last, version {version}. Secrets are not shown.",
  caption: "Configuration in force",
  name: "Variable",
  value: "Value",
  unset: "not set",
} as const;

export const t = createTexts({ tab, instances, jobs, queues, database, settings });
