// Projects over the management API.
import { projectsMax } from "@turnpike/keys";
import { z } from "zod";
import {
  archiveProjectInput,
  createProjectInput,
  projectIdInput,
  projectPromptsInput,
  projectResponsesInput,
  renameProjectInput,
  setProjectLimitsInput,
} from "../routers/projects.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";
import { rateLimitFields } from "./limit-routes.ts";

const path = "/v1/management/projects";
const tag = "Projects";

const projectSchema = z
  .object({
    id: z.uuid().describe("Id of the project; that of the default project is the account's."),
    name: z.string().describe("Name of the project."),
    isDefault: z.boolean().describe("Whether it is the default project, which cannot be archived."),
    createdAt: z.iso.datetime().describe("When it was created."),
    archivedAt: z.iso.datetime().nullable().describe("When it was archived; null if it is not."),
    liveKeys: z.int().describe("How many of its API keys are not revoked."),
    promptDays: z
      .int()
      .nullable()
      .describe("Days that prompts and answers are stored; null if they are not."),
    redactsPrompts: z
      .boolean()
      .describe("Whether secrets and personal data are replaced before anything is stored."),
    responseHours: z
      .int()
      .nullable()
      .describe(
        "Hours that responses and interactions are stored by default; null if only those that ask for it are.",
      ),
    ...rateLimitFields,
  })
  .meta({ id: "Project" });

export const projectRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "List projects",
    procedure: "projects.list",
    status: 200,
    input: z.strictObject(pageInput),
    output: pageSchema(projectSchema),
    run: async ({ caller }, page) =>
      pageOf(await caller.projects.list(), page, { atOf: ({ createdAt }) => createdAt }),
  }),
  defineRoute({
    method: "POST",
    path,
    tag,
    summary: "Create a project",
    description: `An account has at most ${projectsMax}; more are refused with 409.`,
    procedure: "projects.create",
    status: 201,
    input: createProjectInput,
    output: z.object({ id: z.uuid().describe("Id of the project.") }),
    run: ({ caller }, fields) => caller.projects.create(fields),
  }),
  defineRoute({
    method: "PATCH",
    path: `${path}/{id}`,
    tag,
    summary: "Rename a project",
    procedure: "projects.rename",
    status: 200,
    input: renameProjectInput,
    output: nothing,
    run: ({ caller }, fields) => caller.projects.rename(fields),
  }),
  defineRoute({
    method: "PATCH",
    path: `${path}/{id}/limits`,
    tag,
    summary: "Change the rate limits of a project",
    description:
      "They apply to all its requests together. Null removes a limit; what is absent stays.",
    procedure: "projects.setLimits",
    status: 200,
    input: setProjectLimitsInput,
    output: nothing,
    run: ({ caller }, fields) => caller.projects.setLimits(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/prompts`,
    tag,
    summary: "Store the prompts and answers of a project, or stop and delete them",
    procedure: "projects.setPrompts",
    status: 200,
    input: projectPromptsInput,
    output: nothing,
    run: ({ caller }, fields) => caller.projects.setPrompts(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/responses`,
    tag,
    summary: "Store the responses of a project by default, or only those that ask for it",
    description: "What is stored already stays for as long as it was to.",
    procedure: "projects.setResponses",
    status: 200,
    input: projectResponsesInput,
    output: nothing,
    run: ({ caller }, fields) => caller.projects.setResponses(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/archive`,
    tag,
    summary: "Archive a project and decide about its keys",
    procedure: "projects.archive",
    status: 200,
    input: archiveProjectInput,
    output: nothing,
    run: ({ caller }, fields) => caller.projects.archive(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${path}/{id}/restore`,
    tag,
    summary: "Restore an archived project",
    procedure: "projects.restore",
    status: 200,
    input: projectIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.projects.restore(fields),
  }),
];
