ALTER TABLE "persons" ADD COLUMN "deletion_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "persons" ADD COLUMN "deleted_at" timestamp with time zone;
--> statement-breakpoint
-- custom
CREATE INDEX persons_deletion_due ON persons (deletion_due_at) WHERE deletion_due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX persons_deleted ON persons (id) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_kept_person_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.at < now() - interval '400 days'
     OR EXISTS (SELECT FROM persons p WHERE p.id = OLD.person_id AND p.deleted_at IS NOT NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'person_events is append-only for 400 days' USING ERRCODE = 'restrict_violation';
END $$;
