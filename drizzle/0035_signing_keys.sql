CREATE TABLE "signing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" jsonb NOT NULL,
	"sealed_private" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "signing_keys_private_part" CHECK (("signing_keys"."retired_at" is null) = ("signing_keys"."sealed_private" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_current" ON "signing_keys" USING btree ((true)) WHERE "signing_keys"."retired_at" is null;
--> statement-breakpoint
-- custom
-- A receipt can be verified as long as its key is published: a published key never changes and is never deleted.
CREATE TRIGGER signing_keys_stay_published BEFORE UPDATE OF id, public_key, created_at OR DELETE OR TRUNCATE
  ON signing_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE (sealed_private, retired_at) ON signing_keys TO turnpike_app;
  END IF;
END $$;
