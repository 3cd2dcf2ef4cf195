// Mail: the queue, the text of every message, and the worker that sends them to an SMTP server.

export { escapeHtml } from "./lay-out-html.ts";
export { listMails, type QueuedMail } from "./list-mails.ts";
export type { Brand } from "./mail-content.ts";
export type { MailKind, MailMessage } from "./mail-message.ts";
export { mailQueue, purgeOutbox, queueMail } from "./mail-queue.ts";
export { openMailWorker } from "./open-mail-worker.ts";
export { type Mailer, openMailer, RefusedMail } from "./open-mailer.ts";
export { type RenderedMail, renderMail } from "./render-mail.ts";
