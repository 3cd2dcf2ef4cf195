CREATE TABLE "management_keys" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"masked" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "management_keys_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "revokes_leaked_keys" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "management_keys" ADD CONSTRAINT "management_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "management_keys" ADD CONSTRAINT "management_keys_created_by_persons_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "management_keys_id" ON "management_keys" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "management_keys_hash" ON "management_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "management_keys_created_by" ON "management_keys" USING btree ("created_by");
--> statement-breakpoint
-- custom
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE ON management_keys TO turnpike_app;
    GRANT UPDATE (revokes_leaked_keys) ON accounts TO turnpike_app;
  END IF;
END $$;
