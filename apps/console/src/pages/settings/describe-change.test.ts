import { expect, test } from "bun:test";
import { describeChange } from "./describe-change.ts";

test.each([
  ["budget.set", "limitUsd", ["5", "10"], "Budget: $5 to $10"],
  ["budget.set", "limitUsd", [null, "0.5"], "Budget: $0.50"],
  ["budget.remove", "limitUsd", ["1000", null], "Budget: $1,000 to none"],
  [
    "budget.set",
    "effect",
    ["tells", "refuses"],
    "When it is reached: Alert only to Block requests",
  ],
  ["member.change_role", "role", ["viewer", "admin"], "Role: Viewer to Admin"],
  ["project.rename", "name", ["admin", "true"], "Name: admin to true"],
  ["webhook.change", "description", ["", "Alerts"], "Description: Alerts"],
  ["account.change", "requests_per_minute", ["60", null], "Requests per minute: 60 to none"],
  ["guardrail.set", "allowedModels", [null, "acme/*"], "Allowed models: acme/*"],
  ["account.set_audit_retention", "days", ["90", null], "Days kept: 90 to no end"],
  [
    "account.require_factors",
    "factorsRequiredFrom",
    [null, "2026-11-12T14:03:00.000Z"],
    "Second factors required from: Nov 12, 2026, 14:03",
  ],
] as const)(
  "a change of %s reads like the form that makes it: %s",
  (action, field, change, said) => {
    expect(describeChange(action, field, change, "UTC")).toBe(said);
  },
);
