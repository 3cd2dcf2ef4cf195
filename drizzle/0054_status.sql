CREATE TABLE "incident_updates" (
	"incident_id" integer NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "incident_updates_incident_id_number_pk" PRIMARY KEY("incident_id","number"),
	CONSTRAINT "incident_updates_state" CHECK (state in ('investigating', 'identified', 'monitoring', 'resolved'))
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"impact" text NOT NULL,
	"model" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "incidents_impact" CHECK (impact in ('maintenance', 'degraded', 'outage')),
	CONSTRAINT "incidents_state" CHECK (state in ('investigating', 'identified', 'monitoring', 'resolved')),
	CONSTRAINT "incidents_resolved" CHECK (("incidents"."state" = 'resolved') = ("incidents"."resolved_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "status_days" (
	"day" date NOT NULL,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"answered" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"first_tokens" bigint[] NOT NULL,
	CONSTRAINT "status_days_day_model_provider_pk" PRIMARY KEY("day","model","provider")
);
--> statement-breakpoint
ALTER TABLE "incident_updates" ADD CONSTRAINT "incident_updates_incident_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incidents_started" ON "incidents" USING btree ("started_at");