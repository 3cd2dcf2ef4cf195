CREATE TABLE "person_events" (
	"person_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "person_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	CONSTRAINT "person_events_person_id_id_pk" PRIMARY KEY("person_id","id")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "audit_retention_days" integer;--> statement-breakpoint
ALTER TABLE "person_events" ADD CONSTRAINT "person_events_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "person_events_at" ON "person_events" USING btree ("at");
--> statement-breakpoint
-- custom
ALTER TABLE accounts ADD CONSTRAINT accounts_audit_retention CHECK (audit_retention_days BETWEEN 90 AND 36500);
--> statement-breakpoint
-- Nobody can delete a row that its account still keeps, not even the owner of the tables.
CREATE FUNCTION refuse_kept_audit() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM accounts a WHERE a.id = OLD.account_id
              AND OLD.at < now() - make_interval(days => a.audit_retention_days)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit_log is append-only: its account keeps this row' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON audit_log;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_kept_audit();
--> statement-breakpoint
CREATE FUNCTION refuse_kept_person_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.at < now() - interval '400 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'person_events is append-only for 400 days' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER person_events_append_only BEFORE UPDATE OR TRUNCATE ON person_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER person_events_kept BEFORE DELETE ON person_events
  FOR EACH ROW EXECUTE FUNCTION refuse_kept_person_event();
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT ON person_events TO turnpike_app;
    GRANT UPDATE (audit_retention_days) ON accounts TO turnpike_app;
  END IF;
END $$;
