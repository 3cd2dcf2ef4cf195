ALTER TABLE "requests" DROP CONSTRAINT IF EXISTS "requests_operation";--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_operation" CHECK ("operation" in ('chat', 'embeddings', 'image', 'speech', 'transcription', 'rerank', 'moderation')) NOT VALID;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN IF NOT EXISTS "image_input_nanos" bigint, ADD COLUMN IF NOT EXISTS "image_output_nanos" bigint, ADD COLUMN IF NOT EXISTS "unit_rates" jsonb;
