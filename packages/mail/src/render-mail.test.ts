// Every kind of mail, as text and as HTML.

import { describe, expect, test } from "bun:test";
import type { Brand } from "./mail-content.ts";
import type { MailKind, MailMessage } from "./mail-message.ts";
import { renderMail } from "./render-mail.ts";

const brand: Brand = {
  productName: "Turnpike",
  publicUrl: "https://turnpike.example",
  supportEmail: "help@turnpike.example",
};
const link = "https://turnpike.example/verify-email?token=abc&x=1";
const at = "2026-11-12T14:03:00.000Z";

const keySeen = { accountName: "Acme", keyName: "laptop", masked: "sk-tp-9f2a…c41d", link };

const everyKind = {
  verify_email: { kind: "verify_email", link, hours: 24 },
  already_registered: { kind: "already_registered", link, resetLink: link },
  reset_password: { kind: "reset_password", link, minutes: 30 },
  password_changed: { kind: "password_changed", at, resetLink: link },
  confirm_new_email: { kind: "confirm_new_email", link, hours: 1 },
  email_change_requested: {
    kind: "email_change_requested",
    at,
    newEmail: "new@example.com",
    undoLink: link,
    undoHours: 72,
  },
  email_changed: {
    kind: "email_changed",
    at,
    newEmail: "new@example.com",
    undoLink: link,
    undoHours: 72,
  },
  change_undone: { kind: "change_undone", at, link, minutes: 30 },
  email_removed: { kind: "email_removed", at, resetLink: link },
  address_reserved: { kind: "address_reserved", undoLink: link, undoHours: 72 },
  factor_added: { kind: "factor_added", name: "Laptop", at, undoLink: link, undoHours: 72 },
  factor_removed: { kind: "factor_removed", name: "Laptop", at, undoLink: link, undoHours: 72 },
  recovery_codes_replaced: { kind: "recovery_codes_replaced", at, undoLink: link, undoHours: 72 },
  recovery_code_used: { kind: "recovery_code_used", at, undoLink: link, undoHours: 72 },
  factor_recovery_requested: { kind: "factor_recovery_requested", at, link },
  factor_recovery_ready: { kind: "factor_recovery_ready", at, link },
  factor_required: { kind: "factor_required", accountName: "Acme", at, link },
  unlock_sign_in: { kind: "unlock_sign_in", link, resetLink: link, hours: 24 },
  receipt: {
    kind: "receipt",
    amountUsd: "25.00",
    balanceUsd: "30.000000001",
    at,
    topUpLink: link,
    receiptUrl: "https://pay.example/receipt",
  },
  low_balance: { kind: "low_balance", balanceUsd: "1.20", alertUsd: "5.00", link },
  unusual_spend: {
    kind: "unusual_spend",
    day: "2026-11-12",
    spentUsd: "84.2",
    usualUsd: "12.5",
    keyName: "laptop",
    keyUsd: "80",
    model: "northwind/large",
    modelUsd: "75.5",
    link,
  },
  auto_top_up_declined: { kind: "auto_top_up_declined", amountUsd: "25", link },
  auto_top_up_needs_authentication: {
    kind: "auto_top_up_needs_authentication",
    amountUsd: "25",
    link,
  },
  auto_top_up_expired_card: { kind: "auto_top_up_expired_card", amountUsd: "25", link },
  auto_top_up_paused: { kind: "auto_top_up_paused", reason: "refunded", link },
  auto_top_up_ceiling: { kind: "auto_top_up_ceiling", amountUsd: "25", link },
  budget_reached: {
    kind: "budget_reached",
    percent: 80,
    whose: "the project",
    subjectName: "Research",
    period: "month",
    beyond: "refused",
    limitUsd: "100.00",
    spentUsd: "81.20",
    at,
    link,
  },
  identity_linked: {
    kind: "identity_linked",
    at: "2026-11-12T14:03:00.000Z",
    provider: "GitHub",
    identity: "ada@example.com",
    undoLink: "https://turnpike.example/undo-change?token=abc",
    undoHours: 72,
  },
  identity_unlinked: {
    kind: "identity_unlinked",
    at,
    provider: "GitHub",
    identity: "ada@example.com",
    link,
  },
  invitation: {
    kind: "invitation",
    accountName: "Acme",
    inviter: "grace@example.com",
    role: "admin",
    link,
    days: 7,
  },
  invitation_claimed: {
    kind: "invitation_claimed",
    accountName: "Acme",
    invited: "ada@example.com",
    claimer: "ada@work.example",
    link,
  },
  joined_account: { kind: "joined_account", accountName: "Acme", role: "viewer", link },
  ownership_offered: {
    kind: "ownership_offered",
    accountName: "Acme",
    by: "grace@example.com",
    link,
  },
  webhook_disabled: {
    kind: "webhook_disabled",
    accountName: "Acme",
    url: "https://hooks.example/turnpike",
    reason: "it accepted no message for three days.",
    link,
  },
  account_closed: { kind: "account_closed", accountName: "Acme", by: "grace@example.com" },
  leaked_key_revoked: {
    kind: "leaked_key_revoked",
    ...keySeen,
    foundAt: "https://git.example/acme",
  },
  leaked_key_found: { kind: "leaked_key_found", ...keySeen, foundAt: "https://git.example/acme" },
  key_in_prompt: { kind: "key_in_prompt", ...keySeen },
  removed_from_account: {
    kind: "removed_from_account",
    accountName: "Acme",
    by: "grace@example.com",
  },
  deletion_scheduled: { kind: "deletion_scheduled", at, link },
  deletion_stopped: { kind: "deletion_stopped", reason: "You are the only owner of Acme." },
  person_deleted: { kind: "person_deleted" },
  new_sign_in: {
    kind: "new_sign_in",
    at,
    device: "Firefox on Linux",
    address: "192.0.2.1",
    place: "Vienna, Austria",
    link,
  },
} satisfies { [Kind in MailKind]: Extract<MailMessage, { kind: Kind }> };

/** Where a program would begin a link in a text that somebody chose, there is a zero-width space. */
const withoutBreaks = (text: string) => text.replaceAll("\u200b", "");

/** What people choose. Everything else is ours. */
const chosen = {
  names: ["accountName", "keyName", "name", "subjectName"],
  texts: [
    "inviter",
    "by",
    "invited",
    "claimer",
    "newEmail",
    "identity",
    "foundAt",
    "url",
    "reason",
  ],
} as const;

const lure =
  "Refund waiting: http://evil.example/r?a=b or www.evil.example, evil.example, a@evil.example";
const looksLikeLink = /https?:\/\/evil|www\.evil|[a-z@.]evil\.example|evil\.example|a@/;

const attack = `"><img src=x onerror=alert(1)>'&</a>`;

describe.each(Object.values(everyKind))("$kind", (message) => {
  const mail = renderMail(message, brand);

  test("says the same in text and in HTML: every link, amount and address is in both", () => {
    const {
      kind: _,
      at: __,
      hours: ___,
      minutes: ____,
      day: _____,
      ...facts
    } = { at: "", hours: 0, minutes: 0, day: "", ...message };
    for (const [name, value] of Object.entries(facts)) {
      const fact = name.endsWith("Usd") ? showCents(String(value)) : String(value);
      expect(withoutBreaks(mail.text)).toContain(fact);
      expect(withoutBreaks(mail.html)).toContain(fact.replaceAll("&", "&amp;"));
    }
  });

  test("has a one-line subject and says who to contact", () => {
    expect(mail.subject).toMatch(/^[^\r\n]{10,78}$/);
    expect(mail.text).toContain("help@turnpike.example");
    expect(mail.html).toContain("help@turnpike.example");
  });

  const given: Record<string, unknown> = { ...message };
  const isIn = (fields: readonly string[]) =>
    fields.filter((field) => typeof given[field] === "string" && given[field] !== "");
  const lured = (fields: readonly string[], text: string) =>
    renderMail(
      asMessage({ ...message, ...Object.fromEntries(fields.map((field) => [field, text])) }),
      brand,
    );

  test("nothing that somebody chose becomes a link, in the subject, the text or the HTML", () => {
    const fields = isIn([...chosen.names, ...chosen.texts]).filter(
      // Why charges are paused is one of our own words.
      (field) => field !== "reason" || message.kind !== "auto_top_up_paused",
    );
    const { subject, text, html } = lured(fields, lure);
    for (const form of [subject, text, html]) expect(form).not.toMatch(looksLikeLink);
    if (fields.length > 0) expect(withoutBreaks(html)).toContain("evil.example");
  });

  test("a name is quoted wherever it is said, and cannot end its quotation", () => {
    const { subject, text, html } = lured(isIn(chosen.names), 'A\u201d "B" \u00bbC');
    for (const form of [subject, text, html.replaceAll("&#39;", "'")]) {
      const said = form.match(/.?A['\u201d] ['"]B['"] ['\u00bb]C.?/gu) ?? [];
      expect(said.filter((name) => name !== "\u201cA' 'B' 'C\u201d")).toEqual([]);
    }
    if (isIn(chosen.names).length > 0) expect(text).toContain("\u201cA' 'B' 'C\u201d");
  });

  test("no part of the message becomes markup", () => {
    const injected: Record<string, unknown> = { ...message };
    for (const [field, value] of Object.entries(message)) {
      if (field !== "kind" && typeof value === "string") injected[field] = attack;
    }
    const { html } = renderMail(asMessage(injected), brand);
    expect(html).not.toContain("<img");
    expect(html).not.toContain("</a>'");
    expect(html.match(/<a [^>]*href="(?!https:\/\/|#")/g)).toBeNull();
  });
});

/** In these mails every amount has cents at most, but for the balance, which is rounded down. */
function showCents(usd: string): string {
  const [dollars, fraction = ""] = usd.split(".");
  return `$${dollars}.${fraction.padEnd(2, "0").slice(0, 2)}`;
}

test("a balance is never rounded up, and amounts and days read as in the console", () => {
  const receipt = renderMail({ ...everyKind.receipt, balanceUsd: "24.989999999" }, brand);
  expect(receipt.text).toContain("Balance: $24.98\n");
  const low = renderMail({ ...everyKind.low_balance, balanceUsd: "0.000000001" }, brand);
  expect(low.subject).toEndWith("is low: <$0.01");
  const unusual = renderMail({ ...everyKind.unusual_spend, day: "2026-11-12" }, brand);
  expect(unusual.subject).toEndWith(" on Nov 12, 2026");
});

/** The test builds what the outbox's JSON could contain. */
function asMessage(value: Record<string, unknown>): MailMessage {
  return value as MailMessage;
}

test("a link that is not http or https is replaced", () => {
  const { html } = renderMail({ ...everyKind.receipt, receiptUrl: "javascript:alert(1)" }, brand);
  expect(html).not.toContain('href="javascript:');
});

test("a changed password and a changed address offer a way to undo it for 72 hours", () => {
  const undoLink = "https://turnpike.example/undo-change?token=abc";
  for (const message of [
    { ...everyKind.password_changed, undoLink, undoHours: 72 },
    { ...everyKind.email_changed, undoLink, undoHours: 72 },
    { ...everyKind.email_change_requested, undoLink, undoHours: 72 },
  ]) {
    const { text, html } = renderMail(message, brand);
    for (const form of [text, html]) {
      expect(form).toContain(undoLink);
      expect(form).toContain("for 72 hours");
    }
  }
});

test("times are shown in UTC, because the reader's time zone is unknown", () => {
  const { text } = renderMail(everyKind.password_changed, brand);
  expect(text).toContain("Nov 12, 2026, 14:03 UTC");
});

test("a count of one uses the singular", () => {
  expect(renderMail(everyKind.confirm_new_email, brand).text).toContain("1 hour.");
  expect(renderMail(everyKind.verify_email, brand).text).toContain("24 hours.");
});
