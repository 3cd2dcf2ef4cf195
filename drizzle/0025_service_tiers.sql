DROP INDEX "prices_route_since";--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "tier" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "usage_details" jsonb;--> statement-breakpoint
CREATE INDEX "prices_tier_since" ON "prices" USING btree ("model","route","tier","since" DESC NULLS LAST);