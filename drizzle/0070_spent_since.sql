ALTER TABLE "auto_top_ups" ADD COLUMN "card_person_id" uuid;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD COLUMN "due_spent_nanos" bigint;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD COLUMN "charged_spent_nanos" bigint;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "refund_claimed_nanos" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD CONSTRAINT "auto_top_ups_card_person_id_persons_id_fk" FOREIGN KEY ("card_person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "top_ups_refunding" ON "top_ups" USING btree ("id") WHERE "top_ups"."refund_claimed_nanos" > 0;--> statement-breakpoint
UPDATE "auto_top_ups" a SET "card_person_id" = (
  SELECT t."person_id" FROM "top_ups" t
   WHERE t."account_id" = a."account_id" AND t."saves_card" AND t."credited_nanos" > 0
   ORDER BY t."paid_at" DESC LIMIT 1)
 WHERE a."payment_method_id" IS NOT NULL;
