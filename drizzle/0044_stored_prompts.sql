CREATE TABLE "stored_prompts" (
	"account_id" uuid NOT NULL,
	"generation_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sealed" "bytea" NOT NULL,
	CONSTRAINT "stored_prompts_account_id_generation_id_pk" PRIMARY KEY("account_id","generation_id")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "prompt_days" smallint;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "redacts_prompts" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "prompts_void_before" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stored_prompts" ADD CONSTRAINT "stored_prompts_account_id_project_id_projects_account_id_id_fk" FOREIGN KEY ("account_id","project_id") REFERENCES "public"."projects"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_prompts_age" ON "stored_prompts" USING btree ("account_id","project_id","created_at");--> statement-breakpoint
CREATE INDEX "projects_with_prompts" ON "projects" USING btree ("account_id","id") WHERE "projects"."prompt_days" is not null or "projects"."prompts_void_before" is not null;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_prompt_days" CHECK ("projects"."prompt_days" between 1 and 90);