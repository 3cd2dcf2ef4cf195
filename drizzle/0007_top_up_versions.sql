ALTER TABLE "top_ups" ADD COLUMN "disputed_nanos" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_disputed_within_reversed" CHECK ("top_ups"."disputed_nanos" >= 0 and "top_ups"."disputed_nanos" <= "top_ups"."reversed_nanos");