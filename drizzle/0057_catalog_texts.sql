CREATE TABLE "catalog_texts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalog_texts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"based_on" bigint NOT NULL,
	"text" text,
	"version" text NOT NULL,
	"applied_by" text NOT NULL,
	"reason" text NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "catalog_texts_based_on" UNIQUE("based_on")
);
--> statement-breakpoint
-- custom
CREATE TRIGGER catalog_texts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON catalog_texts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT ON catalog_texts TO turnpike_app;
  END IF;
END $$;
