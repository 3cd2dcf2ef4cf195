// Texts of the webhooks of an account.
import { createTexts } from "../../../lib/create-texts.ts";

const list = {
  title: "Webhook endpoints",
  hint: "Events of this account are sent to your endpoints, signed by the Standard Webhooks specification.",
  what: "the webhook endpoints",
  caption: "Webhook endpoints",
  url: "Endpoint",
  events: "Events",
  every: "Every event",
  some: { one: "{count} kind", other: "{count} kinds" },
  status: "Status",
  add: "Add endpoint",
  noneTitle: "No endpoint yet.",
  noneBody: "Be told when a key is created, a budget is reached or the balance is low.",
  off: "Webhooks are off: the operator of this installation has to set SEALING_KEY first.",
  menu: "Actions for {url}",
} as const;

const status = {
  enabled: "Enabled",
  failing: "Failing",
  member: "Disabled",
  failures: "Disabled after three days of failures",
  gone: "Disabled: it answered 410 Gone",
} as const;

const edit = {
  addTitle: "Add endpoint",
  changeTitle: "Change endpoint",
  url: "URL",
  urlHint: "Begins with https:// and is on the public internet.",
  urlMissing: "Enter a URL.",
  description: "Description",
  which: "Events",
  every: "Every event",
  everyHint: "Also kinds that are added later",
  chosen: "Only these",
  chosenHint: "The kinds you tick",
  noneChosen: "Tick at least one kind of event.",
  kinds: "Kinds of events",
  add: "Add endpoint",
  adding: "Adding…",
  save: "Save changes",
  saving: "Saving…",
  saved: "The endpoint was changed.",
} as const;

const secret = {
  title: "Signing secret",
  hint: "Your endpoint verifies the signature of every message with it. Keep it like a password.",
  label: "Secret",
  copy: "Copy secret",
  done: "Done",
  show: "Show secret",
  rotate: "Rotate secret",
  rotateTitle: "Rotate the signing secret?",
  rotateBody:
    "Messages are signed with the new secret, and with the old one too for as long as you choose here.",
  overlap: "The old secret counts",
  overlapNone: "No longer",
  overlapHour: "1 hour",
  overlapDay: "1 day",
  overlapWeek: "7 days",
  rotating: "Rotating…",
  both: "Two secrets count until",
} as const;

const actions = {
  change: "Change",
  test: "Send test event",
  tested: "A test event is on its way.",
  disable: "Disable",
  disabled: "The endpoint was disabled. What waited for it was canceled.",
  enable: "Enable",
  enabled: "The endpoint was enabled.",
  delete: "Delete",
  deleteTitle: "Delete this endpoint?",
  deleteBody: "Nothing more is sent to {url}, and its deliveries are no longer listed.",
  deleting: "Deleting…",
  deleted: "The endpoint was deleted.",
} as const;

const messages = {
  title: "Deliveries",
  hint: "Of the last 30 days, newest first.",
  what: "the deliveries",
  caption: "Deliveries, newest first",
  endpoint: "Endpoint",
  state: "Status",
  all: "All",
  at: "Time",
  type: "Event",
  attempts: "Attempts",
  none: "Nothing was sent yet.",
  noneFound: "Nothing matches the filter.",
  more: "Show more",
  details: "Details",
  again: "Send again",
  sentAgain: "It is on its way again, under the same webhook-id.",
  waiting: "Waiting",
  accepted: "Accepted",
  failed: "Failed",
  canceled: "Canceled",
} as const;

const message = {
  title: "Delivery of {type}",
  what: "the delivery",
  id: "webhook-id",
  body: "Body",
  attempts: "Attempts",
  attemptNone: "No attempt yet.",
  attempt: "Attempt {number}",
  answer: "Answer",
  took: "{ms} ms",
} as const;

export const t = createTexts({ list, status, edit, secret, actions, messages, message });
