CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"balance_nanos" bigint DEFAULT 0 NOT NULL,
	"held_nanos" bigint DEFAULT 0 NOT NULL,
	"frozen_at" timestamp with time zone,
	"suspended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_held_not_negative" CHECK ("accounts"."held_nanos" >= 0),
	CONSTRAINT "accounts_never_overdrawn" CHECK ("accounts"."balance_nanos" - "accounts"."held_nanos" >= 0 or "accounts"."frozen_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"masked" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"rotated_to" uuid,
	"requests_per_minute" integer,
	"tokens_per_minute" integer,
	"concurrency" integer,
	"allowed_models" text[],
	"allowed_addresses" text[],
	"day_limit_nanos" bigint,
	"week_limit_nanos" bigint,
	"month_limit_nanos" bigint,
	"total_limit_nanos" bigint,
	"day_start" date DEFAULT '1970-01-01' NOT NULL,
	"day_spent_nanos" bigint DEFAULT 0 NOT NULL,
	"day_held_nanos" bigint DEFAULT 0 NOT NULL,
	"week_start" date DEFAULT '1970-01-01' NOT NULL,
	"week_spent_nanos" bigint DEFAULT 0 NOT NULL,
	"week_held_nanos" bigint DEFAULT 0 NOT NULL,
	"month_start" date DEFAULT '1970-01-01' NOT NULL,
	"month_spent_nanos" bigint DEFAULT 0 NOT NULL,
	"month_held_nanos" bigint DEFAULT 0 NOT NULL,
	"total_spent_nanos" bigint DEFAULT 0 NOT NULL,
	"total_held_nanos" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "api_keys_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"account_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"book" text NOT NULL,
	"amount_nanos" bigint NOT NULL,
	CONSTRAINT "entries_account_id_transaction_id_book_pk" PRIMARY KEY("account_id","transaction_id","book"),
	CONSTRAINT "entries_book" CHECK ("entries"."book" in ('account', 'usage_revenue', 'shortfall', 'stripe_clearing', 'refunds', 'disputes', 'adjustments')),
	CONSTRAINT "entries_house_books_have_no_account" CHECK (("entries"."book" = 'account') = ("entries"."account_id" <> '00000000-0000-0000-0000-000000000000'))
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"actor" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_transactions_idempotency_key_unique" UNIQUE("idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"account_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text DEFAULT 'owner' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_account_id_person_id_pk" PRIMARY KEY("account_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "persons" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"password_hash" text,
	"email_verified_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "persons_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "prices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"input_nanos" bigint NOT NULL,
	"cached_input_nanos" bigint NOT NULL,
	"cache_write_nanos" bigint NOT NULL,
	"output_nanos" bigint NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key_id" uuid,
	"instance_id" uuid,
	"state" text NOT NULL,
	"origin" text DEFAULT 'api' NOT NULL,
	"trace_id" text DEFAULT '' NOT NULL,
	"model" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"price_id" uuid,
	"streamed" boolean DEFAULT false NOT NULL,
	"max_tokens" integer,
	"held_nanos" bigint DEFAULT 0 NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"charged_nanos" bigint DEFAULT 0 NOT NULL,
	"shortfall_nanos" bigint DEFAULT 0 NOT NULL,
	"transaction_id" uuid,
	"prompt_tokens" integer DEFAULT 0 NOT NULL,
	"completion_tokens" integer DEFAULT 0 NOT NULL,
	"cached_tokens" integer DEFAULT 0 NOT NULL,
	"cache_write_tokens" integer DEFAULT 0 NOT NULL,
	"reasoning_tokens" integer DEFAULT 0 NOT NULL,
	"usage_source" text DEFAULT 'none' NOT NULL,
	"status" integer DEFAULT 0 NOT NULL,
	"outcome" text DEFAULT '' NOT NULL,
	"error_code" text,
	"finish_reason" text,
	"native_finish_reason" text,
	"upstream_id" text,
	"user_agent" text,
	"attempts" jsonb,
	"placed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"first_byte_ms" real,
	"overhead_ms" real,
	"total_ms" real,
	CONSTRAINT "requests_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "requests_state" CHECK ("requests"."state" in ('open', 'settled', 'released', 'expired', 'late_settled', 'refused')),
	CONSTRAINT "requests_charge_within_cost" CHECK ("requests"."charged_nanos" >= 0 and "requests"."shortfall_nanos" >= 0 and "requests"."charged_nanos" + "requests"."shortfall_nanos" = "requests"."cost_nanos"),
	CONSTRAINT "requests_charge_within_hold" CHECK ("requests"."charged_nanos" <= "requests"."held_nanos" or "requests"."state" = 'late_settled')
) PARTITION BY RANGE ("id");
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_persons_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_id" ON "api_keys" USING btree ("id");--> statement-breakpoint
CREATE INDEX "api_keys_changed" ON "api_keys" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "entries_transaction" ON "entries" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "memberships_person" ON "memberships" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "prices_model_since" ON "prices" USING btree ("model","since" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "requests_open" ON "requests" USING btree ("instance_id") WHERE "requests"."state" = 'open';