ALTER TABLE "accounts" ADD COLUMN "tells_unusual_spend" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "unusual_spend_told_on" date;--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT UPDATE (tells_unusual_spend, unusual_spend_told_on) ON accounts TO turnpike_app;
  END IF;
END $$;
