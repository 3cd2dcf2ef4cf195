// The limits of keys that are kept elsewhere than in their rows: their budgets, and the rules of their guardrails that
// are limits of a key as well. The migration defines the view; it is only read. Null is unlimited.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import { pgView, text } from "drizzle-orm/pg-core";
import { idColumn, nanosColumn } from "./columns.ts";

export const keyLimits = pgView("key_limits", {
  accountId: idColumn<AccountId>("account_id").notNull(),
  keyId: idColumn<ApiKeyId>("key_id").notNull(),
  dayLimitNanos: nanosColumn("day_limit_nanos"),
  weekLimitNanos: nanosColumn("week_limit_nanos"),
  monthLimitNanos: nanosColumn("month_limit_nanos"),
  totalLimitNanos: nanosColumn("total_limit_nanos"),
  allowedModels: text("allowed_models").array(),
  allowedAddresses: text("allowed_addresses").array(),
}).existing();
