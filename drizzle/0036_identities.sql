CREATE TABLE "identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_attempts" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"provider" text NOT NULL,
	"session_id" text,
	"next" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject" ON "identities" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "identities_person" ON "identities" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "provider_attempts_expires" ON "provider_attempts" USING btree ("expires_at");
--> statement-breakpoint
-- custom
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON identities, provider_attempts TO turnpike_app;
  END IF;
END $$;
