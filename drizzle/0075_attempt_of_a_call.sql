ALTER TABLE "requests" ADD COLUMN IF NOT EXISTS "attempt_model" text, ADD COLUMN IF NOT EXISTS "attempt_started_ms" real, ADD COLUMN IF NOT EXISTS "attempt_waited_ms" real;
