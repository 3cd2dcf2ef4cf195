ALTER TABLE "rate_buckets" ADD COLUMN "counted_limit" double precision;
