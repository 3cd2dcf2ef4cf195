ALTER TABLE "accounts" ADD COLUMN "recalled_until" timestamp with time zone;--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT UPDATE (recalled_until) ON accounts TO turnpike_app;
  END IF;
END $$;
