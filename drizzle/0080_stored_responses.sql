ALTER TABLE "objects" DROP CONSTRAINT IF EXISTS "objects_kind";--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN IF NOT EXISTS "parent_id" uuid, ADD COLUMN IF NOT EXISTS "position" integer;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "objects_of_parent" ON "objects" USING btree ("account_id","parent_id","position") WHERE "objects"."parent_id" is not null;--> statement-breakpoint
ALTER TABLE "objects" DROP CONSTRAINT IF EXISTS "objects_turn";--> statement-breakpoint
ALTER TABLE "objects" ADD CONSTRAINT "objects_turn" CHECK ("objects"."kind" <> 'turn' or "objects"."state" <> 'ready'
        or ("objects"."parent_id" is not null and "objects"."position" is not null));--> statement-breakpoint
ALTER TABLE "objects" ADD CONSTRAINT "objects_kind" CHECK ("objects"."kind" in ('file', 'response', 'conversation', 'turn'));