CREATE TABLE "webhook_attempts" (
	"account_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"answer" text DEFAULT '' NOT NULL,
	"error" text,
	CONSTRAINT "webhook_attempts_account_id_message_id_number_pk" PRIMARY KEY("account_id","message_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"event_types" text[],
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_by" text,
	"accepted_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_by" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_events_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"send_after" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_until" timestamp with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"attempts_max" smallint NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "webhook_messages_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "webhook_messages_state" CHECK ("webhook_messages"."state" in ('waiting', 'accepted', 'failed', 'canceled'))
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_message_fk" FOREIGN KEY ("account_id","message_id") REFERENCES "public"."webhook_messages"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_event_fk" FOREIGN KEY ("account_id","event_id") REFERENCES "public"."webhook_events"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_endpoint_fk" FOREIGN KEY ("account_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_events_created" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_messages_waiting" ON "webhook_messages" USING btree ("account_id","endpoint_id","send_after") WHERE "webhook_messages"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_messages_endpoint" ON "webhook_messages" USING btree ("account_id","endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_messages_event" ON "webhook_messages" USING btree ("account_id","event_id");
--> statement-breakpoint
-- custom
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints TO turnpike_app;
    GRANT SELECT, INSERT, DELETE ON webhook_events TO turnpike_app;
    GRANT SELECT, INSERT, UPDATE ON webhook_messages TO turnpike_app;
    GRANT SELECT, INSERT ON webhook_attempts TO turnpike_app;
  END IF;
END $$;
