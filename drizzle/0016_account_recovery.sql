CREATE INDEX "devices_hash" ON "devices" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "email_tokens_undo" ON "email_tokens" USING btree ("email") WHERE "email_tokens"."purpose" = 'undo';