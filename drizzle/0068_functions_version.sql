CREATE TABLE "ledger_keys" (
	"inner_pad" "bytea" PRIMARY KEY NOT NULL,
	"outer_pad" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "schema_state" ADD COLUMN "functions_version" integer;--> statement-breakpoint
ALTER TABLE "schema_state" ADD COLUMN "functions_sha256" text;