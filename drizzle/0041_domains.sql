CREATE TABLE "domains" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"domain" text NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"proven_at" timestamp with time zone,
	"proven_by" text,
	"provider" text,
	CONSTRAINT "domains_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "domains_provider" CHECK ("domains"."provider" is null or "domains"."proven_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_domain" ON "domains" USING btree ("account_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_proven" ON "domains" USING btree ("domain") WHERE "domains"."proven_at" is not null;
--> statement-breakpoint
-- custom
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO turnpike_app;
  END IF;
END $$;
