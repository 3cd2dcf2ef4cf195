// Mail: the outbox, the text of every message, and the worker that sends them to an SMTP server.

export { escapeHtml } from "./lay-out-html.ts";
export type { Brand } from "./mail-content.ts";
export type { MailKind, MailMessage } from "./mail-message.ts";
export {
  discardMail,
  type MailQueue,
  type MailRow,
  readMailQueue,
  retryMail,
} from "./mail-queue.ts";
export { type Mailer, openMailer, RefusedMail } from "./open-mailer.ts";
export { listMails, openOutboxStore, purgeOutbox, type QueuedMail } from "./outbox-store.ts";
export { queueMail } from "./queue-mail.ts";
export { type RenderedMail, renderMail } from "./render-mail.ts";
export { type OutboxOptions, retryAfterMs, workOutbox } from "./work-outbox.ts";
