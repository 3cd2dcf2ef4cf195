ALTER TABLE "prices" ADD COLUMN "audio_input_nanos" bigint;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "audio_output_nanos" bigint;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "web_search_nanos" bigint;