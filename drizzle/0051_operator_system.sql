ALTER TABLE "instances" ADD COLUMN "draining_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "facts" jsonb;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "every_ms" bigint;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "failed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "error" text;