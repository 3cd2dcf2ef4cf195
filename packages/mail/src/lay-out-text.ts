// The plain form of a mail: what every program can show, with links written out.

import type { Brand, MailContent } from "./mail-content.ts";

export function layOutText(content: MailContent, brand: Brand): string {
  const { paragraphs, facts, button, note } = content;
  const blocks = [
    ...paragraphs,
    facts?.map(([label, value]) => `${label}: ${value}`).join("\n"),
    button && `${button.label}:\n${button.link}`,
    note && [note.text, note.link].filter((part) => part !== undefined).join("\n"),
    writeFooter(brand).join("\n"),
  ];
  return `${blocks.filter((block) => block !== undefined).join("\n\n")}\n`;
}

/** Who sent it and whom to ask. */
export function writeFooter(brand: Brand): readonly string[] {
  const sender = `${brand.productName} · ${brand.publicUrl}`;
  return brand.supportEmail === "" ? [sender] : [sender, `Questions? ${brand.supportEmail}`];
}
