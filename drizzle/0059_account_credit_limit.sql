ALTER TABLE "accounts" DROP CONSTRAINT "accounts_never_overdrawn";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "credit_limit_nanos" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_credit_not_negative" CHECK ("accounts"."credit_limit_nanos" >= 0);--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_never_overdrawn" CHECK ("accounts"."balance_nanos" + "accounts"."credit_limit_nanos" - "accounts"."held_nanos" >= 0 or "accounts"."frozen_at" is not null);