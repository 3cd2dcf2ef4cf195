// What accounts are told by webhook: every kind of event and its data, as receivers get it. Receivers depend on
// these names: fields are added, never renamed. Amounts are exact decimal strings in USD, times ISO 8601.
import type { BudgetPeriod } from "@turnpike/terms";

type Key = { readonly id: string; readonly name: string };

export type WebhookActor = {
  readonly kind: "person" | "management_key" | "system" | "operator";
  /** The email address of a person, the name of a management key; empty for an operator. */
  readonly name: string;
};

type By = { readonly by: WebhookActor };

type KeyEvent<Type extends string> = {
  readonly type: Type;
  readonly data: { readonly key: Key } & By;
};

type Member = { readonly id: string; readonly email: string };

export type WebhookEvent =
  | {
      readonly type: "balance.low";
      readonly data: { readonly available_usd: string; readonly alert_usd: string };
    }
  | {
      readonly type: "budget.reached";
      readonly data: {
        /** Of what is spent in the present period. */
        readonly threshold_percent: 50 | 80 | 100;
        readonly budget: {
          readonly id: string;
          /** What it limits: the account itself, or what `owner` names. */
          readonly scope: "account" | "project" | "member" | "key";
          readonly owner: { readonly id: string; readonly name: string } | null;
          readonly period: BudgetPeriod;
          /** Calls beyond it are refused. */
          readonly hard: boolean;
          readonly limit_usd: string;
          readonly spent_usd: string;
          /** Null for a total. */
          readonly resets_at: string | null;
        };
      };
    }
  | {
      readonly type: "top_up.succeeded";
      readonly data: {
        readonly top_up: { readonly id: string; readonly amount_usd: string };
        readonly balance_usd: string;
      };
    }
  | {
      readonly type: "top_up.failed";
      readonly data: {
        readonly top_up: { readonly id: string; readonly amount_usd: string };
        readonly reason: string | null;
      };
    }
  | KeyEvent<"key.created">
  | KeyEvent<"key.rotated">
  | KeyEvent<"key.revoked">
  | {
      readonly type: "key.leaked";
      readonly data: {
        readonly key: Key;
        /** Where it was seen, e.g. the address of a public repository. */
        readonly found_at: string | null;
        readonly revoked: boolean;
      };
    }
  | {
      /** It is over, however it ended. */
      readonly type: "batch.completed";
      readonly data: {
        readonly batch: {
          /** As its API writes it. */
          readonly id: string;
          readonly status: string;
          readonly request_counts: {
            readonly total: number;
            readonly completed: number;
            readonly failed: number;
          };
          readonly cost_usd: string;
        };
      };
    }
  | {
      /** One that ran in the background is over, however it ended. */
      readonly type: "response.completed";
      readonly data: { readonly response: { readonly id: string; readonly status: string } };
    }
  | {
      readonly type: "member.invited";
      readonly data: { readonly email: string; readonly role: string } & By;
    }
  | {
      readonly type: "member.joined";
      readonly data: { readonly member: Member; readonly role: string };
    }
  | {
      readonly type: "member.role_changed";
      readonly data: {
        readonly member: Member;
        readonly old_role: string;
        readonly new_role: string;
      } & By;
    }
  | {
      /** Removed, or left: then `by` is the member. */
      readonly type: "member.removed";
      readonly data: { readonly member: Member } & By;
    };

export type WebhookEventType = WebhookEvent["type"];

const isEventType: Readonly<Record<WebhookEventType, true>> = {
  "balance.low": true,
  "budget.reached": true,
  "top_up.succeeded": true,
  "top_up.failed": true,
  "key.created": true,
  "key.rotated": true,
  "key.revoked": true,
  "key.leaked": true,
  "batch.completed": true,
  "response.completed": true,
  "member.invited": true,
  "member.joined": true,
  "member.role_changed": true,
  "member.removed": true,
};

/** In the order in which they are offered. */
export const webhookEventTypes = Object.keys(isEventType).filter(isWebhookEventType);

export function isWebhookEventType(name: string): name is WebhookEventType {
  return Object.hasOwn(isEventType, name);
}
