ALTER TABLE "batches" ADD COLUMN IF NOT EXISTS "form" text DEFAULT 'openai' NOT NULL, ADD COLUMN IF NOT EXISTS "model" text, ADD COLUMN IF NOT EXISTS "expired" integer DEFAULT 0 NOT NULL, ADD COLUMN IF NOT EXISTS "usage" jsonb, ADD COLUMN IF NOT EXISTS "cost_nanos" bigint;--> statement-breakpoint
ALTER TABLE "batches" DROP CONSTRAINT IF EXISTS "batches_form";--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_form" CHECK ("batches"."form" in ('openai', 'anthropic', 'openrouter'));
