-- What a cache keeps for an hour has a price and a count of its own. A constant default rewrites no row.
ALTER TABLE "prices" ADD COLUMN "cache_write_1h_nanos" bigint;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "cache_write_1h_tokens" integer DEFAULT 0 NOT NULL;
