CREATE TABLE "schema_state" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"oldest_served" integer NOT NULL,
	CONSTRAINT "schema_state_is_one_row" CHECK ("schema_state"."singleton")
);
--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "schema_version" integer;