CREATE TABLE "switched_off" (
	"model" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"upstream_model" text DEFAULT '' NOT NULL,
	"reason" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"retry_after_seconds" integer,
	"by" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "switched_off_model_provider_upstream_model_pk" PRIMARY KEY("model","provider","upstream_model"),
	CONSTRAINT "switched_off_upstream" CHECK ("switched_off"."upstream_model" = '' or "switched_off"."provider" <> ''),
	CONSTRAINT "switched_off_wait" CHECK ("switched_off"."retry_after_seconds" between 1 and 86400)
);
