// Writes one line of an account's audit log. Call it in the transaction that does what it records: neither
// can be committed without the other.
import type { AccountId, ManagementKeyId, PersonId } from "@turnpike/base";
import type { Db } from "./connect.ts";
import { type AuditChanges, auditLog } from "./schema/audit-log.ts";
import type { WebhookActor } from "./webhook-event.ts";

export type AuditActor =
  | {
      readonly kind: "person";
      readonly id: PersonId;
      readonly email: string;
      /** The client's address. */
      readonly address: string;
    }
  | {
      readonly kind: "management_key";
      readonly id: ManagementKeyId;
      readonly name: string;
      readonly address: string;
    }
  /** Turnpike itself, e.g. when a leaked key was reported; `name` says which part. */
  | { readonly kind: "system"; readonly name: string; readonly address: string }
  /** `reason` is why they did it, for the account to read. */
  | { readonly kind: "operator"; readonly name: string; readonly reason?: string };

/** What `admin` does, and what is done in the name of nobody who signed in. */
export const operator: AuditActor = { kind: "operator", name: "" };

/** As events tell it: operators are not named to customers. */
export function actorOf(by: AuditActor): WebhookActor {
  if (by.kind === "operator") return { kind: "operator", name: "" };
  return { kind: by.kind, name: by.kind === "person" ? by.email : by.name };
}

export type AuditEntry = {
  readonly accountId: AccountId;
  readonly by: AuditActor;
  /** Noun and verb, e.g. `member.remove`. */
  readonly action: string;
  readonly object?: { readonly id: string; readonly name: string };
  readonly changes?: AuditChanges;
};

export async function recordAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { accountId, by, action, object, changes } = entry;
  await tx.insert(auditLog).values({
    accountId,
    actorKind: by.kind,
    actorId: "id" in by ? by.id : null,
    actorName: by.kind === "person" ? by.email : by.name,
    action,
    objectId: object?.id ?? null,
    objectName: object?.name ?? "",
    changes: withReason(changes, by) ?? null,
    address: "address" in by ? by.address : "",
  });
}

function withReason(changes: AuditChanges | undefined, by: AuditActor): AuditChanges | undefined {
  if (by.kind !== "operator" || by.reason === undefined) return changes;
  return { ...changes, reason: [null, by.reason] };
}
