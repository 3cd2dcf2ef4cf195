// The front door of mail: words for every message, a way to send them, and the worker that does.

export { escapeHtml } from "./lay-out-html.ts";
export { type Mailer, openMailer, RefusedMail } from "./open-mailer.ts";
export { type Brand, type RenderedMail, renderMail } from "./render-mail.ts";
export {
  type ClaimedMail,
  type OutboxOptions,
  type OutboxStore,
  retryAfterMs,
  workOutbox,
} from "./work-outbox.ts";
