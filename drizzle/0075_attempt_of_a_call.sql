ALTER TABLE "requests" ADD COLUMN "attempt_model" text, ADD COLUMN "attempt_started_ms" real, ADD COLUMN "attempt_waited_ms" real;
