// Who runs a command: the user of the machine it runs on, for the books and for the audit log of the account.
import { userInfo } from "node:os";
import type { AuditActor } from "@turnpike/db";

export function operatorHere(): Extract<AuditActor, { kind: "operator" }> {
  return { kind: "operator", name: nameOfUser() };
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
