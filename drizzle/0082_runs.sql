CREATE TABLE IF NOT EXISTS "runs" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"sealed_response" "bytea",
	"size" bigint DEFAULT 0 NOT NULL,
	"is_cut" boolean DEFAULT false NOT NULL,
	"kept_seconds" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"cancelling_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "runs_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "runs_kind" CHECK ("runs"."kind" in ('response', 'stream')),
	CONSTRAINT "runs_state" CHECK ("runs"."state" in ('running', 'completed', 'incomplete', 'failed', 'cancelled')),
	CONSTRAINT "runs_ended" CHECK (("runs"."state" = 'running') = ("runs"."ended_at" is null) and ("runs"."ended_at" is null) = ("runs"."expires_at" is null)),
	CONSTRAINT "runs_project_fk" FOREIGN KEY ("account_id","project_id") REFERENCES "public"."projects"("account_id","id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "run_events" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"first_number" integer NOT NULL,
	"last_number" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	CONSTRAINT "run_events_account_id_run_id_first_number_pk" PRIMARY KEY("account_id","run_id","first_number"),
	CONSTRAINT "run_events_run_fk" FOREIGN KEY ("account_id","run_id") REFERENCES "public"."runs"("account_id","id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "runs_running" ON "runs" USING btree ("instance_id") WHERE "runs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "runs_expiring" ON "runs" USING btree ("expires_at") WHERE "runs"."expires_at" is not null;