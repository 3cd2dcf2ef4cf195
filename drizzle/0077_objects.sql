CREATE TABLE IF NOT EXISTS "objects" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"purpose" text,
	"media_type" text,
	"size" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"sealed_head" "bytea",
	"sealed" "bytea",
	"blob" text,
	CONSTRAINT "objects_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "objects_kind" CHECK ("objects"."kind" in ('file')),
	CONSTRAINT "objects_state" CHECK ("objects"."state" in ('writing', 'ready', 'deleted')),
	CONSTRAINT "objects_ready" CHECK ("objects"."state" <> 'ready' or ("objects"."purpose" is not null and "objects"."media_type" is not null
        and "objects"."sealed_head" is not null and ("objects"."sealed" is null) <> ("objects"."blob" is null))),
	CONSTRAINT "objects_unready" CHECK ("objects"."state" = 'ready' or "objects"."expires_at" is not null),
	CONSTRAINT "objects_account_id_project_id_projects_account_id_id_fk" FOREIGN KEY ("account_id","project_id") REFERENCES "public"."projects"("account_id","id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "objects_of_project" ON "objects" USING btree ("account_id","project_id","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "objects_expiry" ON "objects" USING btree ("expires_at") WHERE "objects"."expires_at" is not null;