ALTER TABLE "projects" ADD COLUMN IF NOT EXISTS "response_hours" smallint;--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT IF EXISTS "projects_response_hours";--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_response_hours" CHECK ("projects"."response_hours" between 1 and 720);