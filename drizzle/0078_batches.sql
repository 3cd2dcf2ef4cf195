CREATE TABLE IF NOT EXISTS "batches" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"state" text DEFAULT 'validating' NOT NULL,
	"input_object_id" uuid NOT NULL,
	"input_bytes" bigint NOT NULL,
	"output_object_id" uuid,
	"error_object_id" uuid,
	"output_kept_seconds" integer NOT NULL,
	"sealed_metadata" "bytea",
	"errors" jsonb,
	"total" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"cancelling_at" timestamp with time zone,
	"finalizing_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"paused_by" text,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	CONSTRAINT "batches_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "batches_state" CHECK ("batches"."state" in ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled')),
	CONSTRAINT "batches_ended_state" CHECK (("batches"."ended_at" is not null) = ("batches"."state" in ('failed', 'completed', 'expired', 'cancelled'))),
	CONSTRAINT "batches_project_fk" FOREIGN KEY ("account_id","project_id") REFERENCES "public"."projects"("account_id","id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "batch_lines" (
	"account_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"sealed_request" "bytea" NOT NULL,
	"sealed_result" "bytea",
	"generation_id" uuid,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "batch_lines_account_id_batch_id_line_pk" PRIMARY KEY("account_id","batch_id","line"),
	CONSTRAINT "batch_lines_state" CHECK ("batch_lines"."state" in ('waiting', 'completed', 'failed', 'expired', 'cancelled')),
	CONSTRAINT "batch_lines_batch_fk" FOREIGN KEY ("account_id","batch_id") REFERENCES "public"."batches"("account_id","id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batch_lines_waiting" ON "batch_lines" USING btree ("account_id","batch_id","due_at","line") WHERE "batch_lines"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_of_project" ON "batches" USING btree ("account_id","project_id","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_due" ON "batches" USING btree ("due_at") WHERE "batches"."ended_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_ended" ON "batches" USING btree ("ended_at") WHERE "batches"."ended_at" is not null;