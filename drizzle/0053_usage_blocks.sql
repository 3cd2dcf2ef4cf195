CREATE TABLE "usage_blocks" (
	"account_id" uuid NOT NULL,
	"quarter" timestamp with time zone NOT NULL,
	"key_id" uuid,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"origin" text NOT NULL,
	"operation" text NOT NULL,
	"class" text NOT NULL,
	"error_code" text NOT NULL,
	"calls" bigint NOT NULL,
	"free_calls" bigint NOT NULL,
	"charged_nanos" bigint NOT NULL,
	"shortfall_nanos" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"cache_write_tokens" bigint NOT NULL,
	"reasoning_tokens" bigint NOT NULL,
	"costed_calls" bigint NOT NULL,
	"known_calls" bigint NOT NULL,
	"known_charged_nanos" bigint NOT NULL,
	"operator_cost_nanos" bigint NOT NULL,
	"total_ms_counts" numeric,
	"first_byte_ms_counts" numeric,
	"minutes" integer NOT NULL,
	"ordinal" integer NOT NULL,
	CONSTRAINT "usage_blocks_account_id_minutes_quarter_ordinal_pk" PRIMARY KEY("account_id","minutes","quarter","ordinal")
);
--> statement-breakpoint
CREATE INDEX "usage_blocks_quarter" ON "usage_blocks" USING brin ("quarter");--> statement-breakpoint
-- Blocks are added up together with the quarters they consist of.
UPDATE "usage_progress" SET "rolled_from" = "rolled_to";
