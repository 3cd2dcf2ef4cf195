// The endpoints of files, as operations of OpenAPI.
import { inPath, inQuery, named, text, type WireOperation } from "./wire-operation.ts";

const id = inPath("id", "Id of the file, `file-…`.");
const tag = "Files";

/** By path and method. */
export const fileOperations: readonly (readonly [string, WireOperation])[] = [
  [
    "/v1/files",
    {
      method: "post",
      tag,
      summary: "Upload a file",
      description: "Keys of the same project read and delete it; others get 404.",
      form: named("FilesForm"),
      answer: named("FilesFile"),
    },
  ],
  [
    "/v1/files",
    {
      method: "get",
      tag,
      summary: "List files",
      answer: named("FilesList"),
      parameters: [
        inQuery("purpose", "Files of this purpose only."),
        inQuery("limit", "Files of a page. Default: 10,000.", {
          type: "integer",
          minimum: 1,
          maximum: 10_000,
        }),
        inQuery("order", "By when they were uploaded. Default: `desc`.", { enum: ["asc", "desc"] }),
        inQuery("after", "The `last_id` of the page before."),
      ],
    },
  ],
  [
    "/v1/files/{id}",
    {
      method: "get",
      tag,
      summary: "Read what is known of a file",
      answer: named("FilesFile"),
      parameters: [id],
    },
  ],
  [
    "/v1/files/{id}",
    {
      method: "delete",
      tag,
      summary: "Delete a file",
      answer: named("FilesDeleted"),
      parameters: [id],
    },
  ],
  [
    "/v1/files/{id}/content",
    {
      method: "get",
      tag,
      summary: "Download the contents of a file",
      answer: { ...text, format: "binary" },
      answerType: "*/*",
      parameters: [id],
    },
  ],
];
