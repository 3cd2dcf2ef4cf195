ALTER TABLE "status_days" ADD COLUMN "answered_by_hour" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "status_days" ADD COLUMN "failed_by_hour" bigint[] DEFAULT '{}' NOT NULL;