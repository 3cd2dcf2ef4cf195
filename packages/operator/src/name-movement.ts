// What a movement of money is called at the desk and on the command line.
import type { LedgerType } from "@turnpike/terms";

const names = {
  top_up: "Top-up",
  usage: "Usage",
  refund: "Refund",
  dispute: "Dispute",
  adjustment: "Adjustment",
} as const satisfies Record<LedgerType, string>;

export function nameMovement(kind: LedgerType): string {
  return names[kind];
}
