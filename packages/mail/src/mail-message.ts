// Every mail Turnpike sends, as data: this is what is queued; the text is rendered when it is sent.
// Amounts are exact decimal strings in USD, times ISO 8601, links absolute.
import type { BudgetPeriod } from "@turnpike/terms";

/** Absent in mails that an older version queued. */
type UndoLink = { readonly undoLink?: string; readonly undoHours?: number };

type FactorMail<Kind> = {
  readonly kind: Kind;
  /** Of the factor. */
  readonly name: string;
  readonly at: string;
} & UndoLink;

type CodeMail<Kind> = { readonly kind: Kind; readonly at: string } & UndoLink;

/** Sent when nothing more is charged automatically. */
type AutoTopUpMail<Kind> = {
  readonly kind: Kind;
  /** Of the ceiling, or of the top-up that was not made. */
  readonly amountUsd: string;
  readonly link: string;
};

export type AutoTopUpPauseMail = {
  readonly kind: "auto_top_up_paused";
  readonly reason:
    | "refunded"
    | "disputed"
    | "lowered"
    | "suspended"
    | "frozen"
    | "deletion"
    | "card_owner_left";
  readonly link: string;
};

/** A key that was where no key should be. */
type KeySeen = {
  /** Empty for a personal account. */
  readonly accountName: string;
  readonly keyName: string;
  /** `sk-tp-9f2a…c41d`. */
  readonly masked: string;
  readonly link: string;
};

export type MailMessage =
  | { readonly kind: "verify_email"; readonly link: string; readonly hours: number }
  | { readonly kind: "already_registered"; readonly link: string; readonly resetLink: string }
  | { readonly kind: "reset_password"; readonly link: string; readonly minutes: number }
  | ({
      readonly kind: "password_changed";
      readonly at: string;
      readonly resetLink: string;
    } & UndoLink)
  | { readonly kind: "confirm_new_email"; readonly link: string; readonly hours: number }
  | ({
      /** Sent to the current address, before anything changes. */
      readonly kind: "email_change_requested";
      readonly at: string;
      readonly newEmail: string;
    } & UndoLink)
  | ({ readonly kind: "email_changed"; readonly at: string; readonly newEmail: string } & UndoLink)
  | {
      readonly kind: "change_undone";
      readonly at: string;
      /** Sets a new password. */
      readonly link: string;
      readonly minutes: number;
    }
  | {
      /** Sent to the address that an undo removed from the account. */
      readonly kind: "email_removed";
      readonly at: string;
      readonly resetLink: string;
    }
  | ({
      /** Sent when someone registers an address that an account stopped using less than 72 hours ago. */
      readonly kind: "address_reserved";
    } & Required<UndoLink>)
  | {
      readonly kind: "unlock_sign_in";
      readonly link: string;
      readonly resetLink: string;
      readonly hours: number;
    }
  | {
      readonly kind: "receipt";
      readonly amountUsd: string;
      readonly balanceUsd: string;
      readonly at: string;
      readonly topUpLink: string;
      readonly receiptUrl: string | null;
    }
  | {
      readonly kind: "low_balance";
      readonly balanceUsd: string;
      readonly alertUsd: string;
      readonly link: string;
    }
  | {
      readonly kind: "unusual_spend";
      /** `2026-11-12`, of UTC. */
      readonly day: string;
      readonly spentUsd: string;
      /** The costliest of the days before. */
      readonly usualUsd: string;
      readonly keyName: string;
      readonly keyUsd: string;
      readonly model: string;
      readonly modelUsd: string;
      readonly link: string;
    }
  | AutoTopUpMail<"auto_top_up_declined">
  | AutoTopUpMail<"auto_top_up_needs_authentication">
  | AutoTopUpMail<"auto_top_up_expired_card">
  | AutoTopUpMail<"auto_top_up_ceiling">
  | AutoTopUpPauseMail
  | {
      readonly kind: "budget_reached";
      readonly percent: 50 | 80 | 100;
      /** As a part of a sentence: `the project`, before its name; empty for an account or a member. */
      readonly whose: string;
      /** Absent in mails that an older version queued, and for a personal account. */
      readonly subjectName?: string;
      readonly period: BudgetPeriod;
      /** What happens to requests beyond it. */
      readonly beyond: "refused" | "answered";
      readonly limitUsd: string;
      readonly spentUsd: string;
      /** When it resets; null in total. */
      readonly at: string | null;
      readonly link: string;
    }
  | {
      readonly kind: "deletion_scheduled";
      /** When it happens. */
      readonly at: string;
      readonly link: string;
    }
  | { readonly kind: "deletion_stopped"; readonly reason: string }
  | { readonly kind: "person_deleted" }
  | {
      readonly kind: "new_sign_in";
      readonly at: string;
      readonly device: string;
      readonly address: string;
      /** Where that is approximately, if it is known. */
      readonly place?: string;
      readonly link: string;
    }
  | ({
      readonly kind: "identity_linked";
      readonly at: string;
      /** Its name, e.g. `GitHub`. */
      readonly provider: string;
      /** The address of the identity there. */
      readonly identity: string;
    } & UndoLink)
  | FactorMail<"factor_added">
  | FactorMail<"factor_removed">
  | CodeMail<"recovery_codes_replaced">
  | CodeMail<"recovery_code_used">
  | {
      readonly kind: "factor_recovery_requested";
      /** When the second factors can be removed. */
      readonly at: string;
      /** Cancels it. */
      readonly link: string;
    }
  | {
      /** Sent after the delay. */
      readonly kind: "factor_recovery_ready";
      /** Until then the link works. */
      readonly at: string;
      readonly link: string;
    }
  | {
      /** Sent to members who have none. */
      readonly kind: "factor_required";
      readonly accountName: string;
      readonly at: string;
      readonly link: string;
    }
  | {
      readonly kind: "identity_unlinked";
      readonly at: string;
      readonly provider: string;
      readonly identity: string;
      readonly link: string;
    }
  | {
      readonly kind: "invitation";
      readonly accountName: string;
      /** An email address, as in the mails below. */
      readonly inviter: string;
      readonly role: string;
      readonly link: string;
      readonly days: number;
    }
  | {
      /** Sent to the inviter: someone opened the link who signs in with another address. */
      readonly kind: "invitation_claimed";
      readonly accountName: string;
      readonly invited: string;
      readonly claimer: string;
      readonly link: string;
    }
  | {
      readonly kind: "joined_account";
      readonly accountName: string;
      readonly role: string;
      readonly link: string;
    }
  | {
      readonly kind: "ownership_offered";
      readonly accountName: string;
      readonly by: string;
      readonly link: string;
    }
  | {
      readonly kind: "webhook_disabled";
      /** Empty for a personal account. */
      readonly accountName: string;
      readonly url: string;
      /** A clause with a full stop. */
      readonly reason: string;
      readonly link: string;
    }
  | ({ readonly kind: "leaked_key_revoked"; readonly foundAt: string | null } & KeySeen)
  | ({ readonly kind: "leaked_key_found"; readonly foundAt: string | null } & KeySeen)
  | ({ readonly kind: "key_in_prompt" } & KeySeen)
  | { readonly kind: "removed_from_account"; readonly accountName: string; readonly by: string }
  | { readonly kind: "account_closed"; readonly accountName: string; readonly by: string };

export type MailKind = MailMessage["kind"];
