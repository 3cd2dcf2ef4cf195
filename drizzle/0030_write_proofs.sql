CREATE TABLE "write_proofs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"instance_id" uuid NOT NULL,
	"filler" text NOT NULL
);
--> statement-breakpoint
-- Neither compressed nor stored elsewhere: each row fills a page of this table.
ALTER TABLE "write_proofs" ALTER COLUMN "filler" SET STORAGE PLAIN;--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, DELETE ON write_proofs TO turnpike_app;
  END IF;
END $$;
