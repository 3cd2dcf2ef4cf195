-- Nothing in it is worth a write to disk: after a crash every bucket is full again.
CREATE UNLOGGED TABLE "rate_buckets" (
	"account_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"name" text NOT NULL,
	"used" double precision DEFAULT 0 NOT NULL,
	"counted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"slots" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "rate_buckets_account_id_subject_id_name_pk" PRIMARY KEY("account_id","subject_id","name")
) WITH (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "requests_per_minute" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "tokens_per_minute" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "concurrency" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "requests_per_minute" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "tokens_per_minute" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "concurrency" integer;