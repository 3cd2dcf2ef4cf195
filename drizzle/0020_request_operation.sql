-- Which operation a call asked for; calls from before are chat. A constant default rewrites no row.
ALTER TABLE "requests" ADD COLUMN "operation" text DEFAULT 'chat' NOT NULL;--> statement-breakpoint
-- NOT VALID: every row has the default, so there is nothing to read through under the table's lock. A
-- new operation replaces the constraint the same way: the rows that satisfied a shorter list satisfy a
-- longer one.
ALTER TABLE "requests" ADD CONSTRAINT "requests_operation" CHECK (operation in ('chat', 'embeddings')) NOT VALID;--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT INSERT (operation) ON requests TO turnpike_app;
  END IF;
END $$;
