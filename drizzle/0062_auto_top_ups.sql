CREATE TABLE "auto_top_ups" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"threshold_nanos" bigint,
	"amount_nanos" bigint,
	"ceiling_nanos" bigint,
	"payment_method_id" text,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" integer,
	"card_exp_year" integer,
	"state" text DEFAULT 'ok' NOT NULL,
	"last_failure" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"ceiling_told_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_top_ups_complete" CHECK (not "auto_top_ups"."enabled" or num_nulls("auto_top_ups"."threshold_nanos", "auto_top_ups"."amount_nanos", "auto_top_ups"."ceiling_nanos", "auto_top_ups"."payment_method_id") = 0),
	CONSTRAINT "auto_top_ups_amounts" CHECK ("auto_top_ups"."threshold_nanos" > 0 and "auto_top_ups"."amount_nanos" > 0 and "auto_top_ups"."ceiling_nanos" >= "auto_top_ups"."amount_nanos")
);
--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "saves_card" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "payment_method_id" text;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD CONSTRAINT "auto_top_ups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "top_ups_one_automatic" ON "top_ups" USING btree ("account_id") WHERE "top_ups"."payment_method_id" is not null and "top_ups"."state" in ('created', 'pending', 'processing');--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON auto_top_ups TO turnpike_app;
  END IF;
END $$;
