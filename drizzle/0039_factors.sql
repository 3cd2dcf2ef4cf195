CREATE TABLE "factor_challenges" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"person_id" uuid,
	"purpose" text NOT NULL,
	"provider" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "factor_recoveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"cancel_hash" "bytea" NOT NULL,
	"finish_hash" "bytea",
	"canceled_at" timestamp with time zone,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "factors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"secret" "bytea",
	"last_period" bigint,
	"credential_id" text,
	"public_key" "bytea",
	"use_count" bigint,
	"transports" text,
	"is_backed_up" boolean,
	CONSTRAINT "factors_kind" CHECK (("factors"."kind" = 'totp' and "factors"."secret" is not null)
        or ("factors"."kind" = 'passkey' and "factors"."credential_id" is not null and "factors"."public_key" is not null))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"person_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_person_id_hash_pk" PRIMARY KEY("person_id","hash")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "factors_required_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "factor_challenges" ADD CONSTRAINT "factor_challenges_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factor_recoveries" ADD CONSTRAINT "factor_recoveries_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factors" ADD CONSTRAINT "factors_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "factor_challenges_person" ON "factor_challenges" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "factor_challenges_expiry" ON "factor_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "factor_recoveries_pending" ON "factor_recoveries" USING btree ("person_id") WHERE "factor_recoveries"."canceled_at" is null and "factor_recoveries"."finished_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "factor_recoveries_cancel" ON "factor_recoveries" USING btree ("cancel_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "factor_recoveries_finish" ON "factor_recoveries" USING btree ("finish_hash");--> statement-breakpoint
CREATE INDEX "factors_person" ON "factors" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "factors_credential" ON "factors" USING btree ("credential_id");
--> statement-breakpoint
-- custom
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON factors, recovery_codes, factor_challenges, factor_recoveries TO turnpike_app;
    GRANT UPDATE (factors_required_from) ON accounts TO turnpike_app;
  END IF;
END $$;
