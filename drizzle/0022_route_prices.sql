CREATE TABLE "route_health" (
	"provider" text NOT NULL,
	"upstream_model" text NOT NULL,
	"open_until" timestamp with time zone,
	"next_open_ms" integer NOT NULL,
	"credentials_refused" boolean NOT NULL,
	"first_byte_ms" real,
	"tokens_per_second" real,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "route_health_provider_upstream_model_pk" PRIMARY KEY("provider","upstream_model")
);
--> statement-breakpoint
DROP INDEX "prices_model_since";--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "route" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "prices_route_since" ON "prices" USING btree ("model","route","since" DESC NULLS LAST);--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE ON route_health TO turnpike_app;
  END IF;
END $$;
