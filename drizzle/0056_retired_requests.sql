CREATE TABLE "retired_requests" (
	"name" text PRIMARY KEY NOT NULL,
	"calls" bigint NOT NULL,
	"leased_calls" bigint NOT NULL,
	"charged_nanos" bigint NOT NULL,
	"shortfall_nanos" bigint NOT NULL,
	"detached_at" timestamp with time zone DEFAULT now() NOT NULL,
	"file" text,
	"sha256" text,
	"dropped_at" timestamp with time zone
);
