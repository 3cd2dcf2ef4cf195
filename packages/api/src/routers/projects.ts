// Projects of the account: the groups of its keys.

import type { ProjectId } from "@turnpike/base";
import {
  archivedKeyFates,
  archiveProject,
  createProject,
  listProjects,
  renameProject,
  restoreProject,
  setProjectRates,
  setResponseStorage,
} from "@turnpike/keys";
import { promptDaysMax, setPromptStorage } from "@turnpike/prompts";
import { nameCharsMax, responseHoursMax } from "@turnpike/terms";
import { z } from "zod";
import { idInput, nameInput, rateChangeInput } from "../inputs.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";

const name = nameInput(nameCharsMax.project).describe(
  `Name of the project, at most ${nameCharsMax.project} characters.`,
);
const id = idInput<ProjectId>().describe("Id of the project.");
export const projectIdInput = z.strictObject({ id });
export const createProjectInput = z.strictObject({ name });
export const renameProjectInput = projectIdInput.extend({ name });
export const projectPromptsInput = projectIdInput.extend({
  days: z
    .number()
    .int()
    .min(1)
    .max(promptDaysMax)
    .nullable()
    .describe(
      `Days to store them: 1 to ${promptDaysMax}. Null stops it and deletes what is stored.`,
    ),
  redacts: z
    .boolean()
    .optional()
    .describe("Replaces secrets and personal data first. Default: true."),
});
export const projectResponsesInput = projectIdInput.extend({
  hours: z
    .number()
    .int()
    .min(1)
    .max(responseHoursMax)
    .nullable()
    .describe(
      `Hours to store each response and interaction that does not say \`store: false\`: 1 to ${responseHoursMax}. Null stores only those that say \`store: true\`.`,
    ),
});
export const archiveProjectInput = projectIdInput.extend({
  keys: z
    .enum(archivedKeyFates)
    .describe("Its API keys are revoked, or move to the default project."),
});
export const setProjectLimitsInput = rateChangeInput.extend({ id });

export const projectsRouter = router({
  list: accountProcedure("projects.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const list = await listProjects(ctx.db, ctx.account.id, ctx.scope.projectIds);
      return list.map((project) => ({
        ...project,
        createdAt: project.createdAt.toISOString(),
        archivedAt: project.archivedAt?.toISOString() ?? null,
      }));
    }),
  create: accountProcedure("projects.change")
    .input(createProjectInput)
    .mutation(async ({ ctx, input }) => ({
      id: await createProject(ctx.db, editorOf(ctx), input),
    })),
  rename: accountProcedure("projects.change")
    .input(renameProjectInput)
    .mutation(async ({ ctx, input }) => {
      await renameProject(ctx.db, editorOf(ctx), input);
      return {};
    }),
  setLimits: accountProcedure("projects.change")
    .input(setProjectLimitsInput)
    .mutation(async ({ ctx, input: { id, ...change } }) => {
      await setProjectRates(ctx.db, editorOf(ctx), id, change);
      return {};
    }),
  archive: accountProcedure("projects.change")
    .input(archiveProjectInput)
    .mutation(async ({ ctx, input }) => {
      await archiveProject(ctx.db, editorOf(ctx), input);
      return {};
    }),
  /** Whether prompts and answers are stored, and for how long. */
  setPrompts: provenAccountProcedure("projects.change")
    .input(projectPromptsInput)
    .mutation(async ({ ctx, input }) => {
      const editor = { ...editorOf(ctx), sealer: ctx.sealer };
      await setPromptStorage(ctx.db, editor, { ...input, redacts: input.redacts ?? true });
      return {};
    }),
  /** Whether responses are stored that do not refuse it, and for how long. */
  setResponses: provenAccountProcedure("projects.change")
    .input(projectResponsesInput)
    .mutation(async ({ ctx, input }) => {
      await setResponseStorage(ctx.db, editorOf(ctx), input);
      return {};
    }),
  restore: accountProcedure("projects.change")
    .input(projectIdInput)
    .mutation(async ({ ctx, input }) => {
      await restoreProject(ctx.db, editorOf(ctx), input.id);
      return {};
    }),
});

type Acting = Parameters<Parameters<ReturnType<typeof accountProcedure>["query"]>[0]>[0]["ctx"];

function editorOf({ account, actor }: Pick<Acting, "account" | "actor">) {
  return { accountId: account.id, by: actor };
}
