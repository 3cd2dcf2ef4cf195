// Who mails come from if MAIL_FROM is not set: nobody reads answers to it.
export function defaultSender(productName: string, publicUrl: string): string {
  return `${productName.replace(/[<>"\r\n]/g, "")} <no-reply@${new URL(publicUrl).hostname}>`;
}
