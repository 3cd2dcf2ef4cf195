CREATE TABLE "account_notes" (
	"account_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "account_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "account_notes_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "account_views" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "account_views_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "operator_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"object" text DEFAULT '' NOT NULL,
	"reason" text NOT NULL,
	"changes" jsonb
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"granted_by" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operators_role" CHECK (role in ('owner', 'support', 'finance', 'read_only'))
);
--> statement-breakpoint
ALTER TABLE "account_notes" ADD CONSTRAINT "account_notes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_views" ADD CONSTRAINT "account_views_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_views" ADD CONSTRAINT "account_views_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_views_person" ON "account_views" USING btree ("person_id","expires_at");--> statement-breakpoint
CREATE INDEX "accounts_name_begins" ON "accounts" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "api_keys_masked_begins" ON "api_keys" USING btree ("masked" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "api_keys_last_four" ON "api_keys" USING btree (right("masked", 4));--> statement-breakpoint
CREATE INDEX "entries_movements" ON "entries" USING btree ("amount_nanos") WHERE "entries"."book" in ('stripe_clearing', 'refunds', 'disputes', 'adjustments');--> statement-breakpoint
CREATE INDEX "outbox_recipient" ON "outbox" USING btree ("recipient","created_at");--> statement-breakpoint
CREATE INDEX "persons_email_begins" ON "persons" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "persons_name_begins" ON "persons" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "requests_by_time" ON "requests" USING brin ("id") WITH (pages_per_range=32,autosummarize=true);--> statement-breakpoint
CREATE INDEX "stripe_inbox_object" ON "stripe_inbox" USING btree (("payload" ->> 'id'));--> statement-breakpoint
CREATE INDEX "top_ups_amount" ON "top_ups" USING btree ("amount_nanos");
--> statement-breakpoint
-- custom
CREATE TRIGGER operator_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT ON operators, operator_log, account_notes, account_views TO turnpike_app;
    GRANT DELETE ON operators TO turnpike_app;
    GRANT INSERT ON operator_log, account_notes TO turnpike_app;
    GRANT INSERT, UPDATE (ended_at) ON account_views TO turnpike_app;
  END IF;
END $$;
