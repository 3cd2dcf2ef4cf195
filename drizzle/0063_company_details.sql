ALTER TABLE "accounts" ADD COLUMN "company" jsonb;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_company" CHECK (jsonb_typeof("accounts"."company") = 'object');--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT UPDATE (company) ON accounts TO turnpike_app;
  END IF;
END $$;
