ALTER TABLE "accounts" ADD COLUMN "low_balance_mailed_at" timestamp with time zone;--> statement-breakpoint
UPDATE "accounts" SET "low_balance_mailed_at" = "low_balance_alerted_at" WHERE "low_balance_alerted_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "shown_to" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_shown_to" uuid;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "url_set_by" uuid;--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT UPDATE (shown_to, previous_shown_to) ON api_keys TO turnpike_app;
    GRANT UPDATE (low_balance_mailed_at) ON accounts TO turnpike_app;
  END IF;
END $$;
