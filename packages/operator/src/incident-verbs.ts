// What operators publish about incidents on `/status` and in its feed.
import { Fault, parseName } from "@turnpike/base";
import { type Db, incidents, incidentUpdates } from "@turnpike/db";
import { incidentColumns, statusChannel } from "@turnpike/reports";
import { incidentImpacts, incidentStates } from "@turnpike/terms";
import { desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { line } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import { command, everyone, query, support } from "./verb.ts";

const idInput = z.string().regex(/^\d{1,9}$/, "must be the number of an incident");
const textInput = line(2_000).refine((text) => text.trim() !== "", "Say what readers should know.");
const nameInput = line(200).optional();
const titleCharsMax = 120;

export const incidentVerbs = {
  list: query({
    roles: everyone,
    summary: "incidents on /status, newest first",
    input: {},
    run: async ({ db }) => ({ incidents: await listIncidents(db) }),
  }),
  open: command({
    roles: support,
    summary: "publishes an incident, of everything or of one model or provider",
    input: {
      title: line(titleCharsMax).refine((text) => text.trim() !== "", "Give a title."),
      text: textInput,
      impact: z.enum(incidentImpacts),
      model: nameInput,
      provider: nameInput,
    },
    async run({ db }, by, { title, text, impact, model = "", provider = "", reason }) {
      const id = await db.transaction(async (tx) => {
        const state = "investigating" as const;
        const [row] = await tx
          .insert(incidents)
          .values({
            title: parseName(title, {
              charsMax: titleCharsMax,
              message: `A title has 1 to ${titleCharsMax} characters.`,
              param: "title",
            }),
            impact,
            model,
            provider,
            state,
          })
          .returning({ id: incidents.id });
        if (row === undefined) throw new Error("the incident was not stored");
        await tx.insert(incidentUpdates).values({ incidentId: row.id, number: 1, state, text });
        await announce(tx);
        await recordAction(tx, by, { action: "incident.open", object: String(row.id), reason });
        return row.id;
      });
      return { id: String(id) };
    },
  }),
  update: command({
    roles: support,
    summary: "publishes how an incident goes on",
    input: {
      id: idInput,
      state: z.enum(incidentStates).exclude(["resolved"]),
      text: textInput,
    },
    async run({ db }, by, { id, state, text, reason }) {
      const entry = { action: "incident.update", object: id, reason };
      await db.transaction(async (tx) => {
        await publish(tx, Number(id), state, text);
        await recordAction(tx, by, entry);
      });
      return { id, state };
    },
  }),
  resolve: command({
    roles: support,
    summary: "publishes that an incident is over",
    input: { id: idInput, text: textInput },
    async run({ db }, by, { id, text, reason }) {
      const entry = { action: "incident.resolve", object: id, reason };
      await db.transaction(async (tx) => {
        await publish(tx, Number(id), "resolved", text);
        await recordAction(tx, by, entry);
      });
      return { id, state: "resolved" as const };
    },
  }),
};

type State = (typeof incidentStates)[number];

/** Throws `not_found`, and `conflict` for an incident that is over. */
async function publish(tx: Db, id: number, state: State, text: string): Promise<void> {
  const [found] = await tx
    .select({ resolvedAt: incidents.resolvedAt })
    .from(incidents)
    .where(eq(incidents.id, id))
    .for("update");
  if (found === undefined)
    throw new Fault("not_found", `There is no incident ${id}.`, { param: "id" });
  if (found.resolvedAt !== null) {
    throw new Fault("conflict", `Incident ${id} is over. Open another one.`, { param: "id" });
  }
  const number = sql<number>`(
    select max(u.number) + 1 from incident_updates u where u.incident_id = ${id})`;
  await tx.insert(incidentUpdates).values({ incidentId: id, number, state, text });
  const resolvedAt = state === "resolved" ? sql`now()` : null;
  await tx
    .update(incidents)
    .set({ state, updatedAt: sql`now()`, resolvedAt })
    .where(eq(incidents.id, id));
  await announce(tx);
}

/** Every instance reads it when this transaction ends. */
async function announce(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${statusChannel}, 'incidents')`);
}

const listed = 50;

async function listIncidents(db: Db) {
  const rows = await db
    .select(incidentColumns)
    .from(incidents)
    .orderBy(desc(incidents.id))
    .limit(listed);
  return rows.map(({ id, startedAt, resolvedAt, ...row }) => ({
    ...row,
    id: String(id),
    startedAt: startedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }));
}
