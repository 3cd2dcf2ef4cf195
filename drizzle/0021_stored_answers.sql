CREATE TABLE "stored_answers" (
	"id" "bytea" PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"generation_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"sealed" "bytea"
);
--> statement-breakpoint
ALTER TABLE "stored_answers" ADD CONSTRAINT "stored_answers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_answers_expiry" ON "stored_answers" USING btree ("expires_at");--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON stored_answers TO turnpike_app;
  END IF;
END $$;
