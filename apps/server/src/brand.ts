// How this installation calls itself in mails.
import type { Brand } from "@turnpike/mail";
import type { Config } from "./config.ts";

export function brandOf(config: Config): Brand {
  return {
    productName: config.PRODUCT_NAME,
    publicUrl: config.PUBLIC_URL,
    supportEmail: config.SUPPORT_EMAIL,
  };
}
