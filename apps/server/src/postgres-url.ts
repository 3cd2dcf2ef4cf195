// The setting that names a PostgreSQL database, with one host or several, and with what libpq calls sslmode and
// sslrootcert.
import { findUrlMistake, markPooled } from "@turnpike/db";
import { z } from "zod";

export const postgresUrl = z.string().superRefine((text, context) => {
  const message = findUrlMistake(text);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

type DatabaseUrls = {
  readonly DATABASE_PREPARE: boolean;
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_MIGRATION_URL?: string | undefined;
};

/** The URL tells every connection whether it goes through a transaction pooler. */
export function poolerUrls(settings: DatabaseUrls) {
  const { DATABASE_PREPARE, DATABASE_URL, DATABASE_MIGRATION_URL } = settings;
  if (DATABASE_PREPARE) return {};
  return {
    ...(DATABASE_URL && { DATABASE_URL: markPooled(DATABASE_URL) }),
    ...(DATABASE_MIGRATION_URL && { DATABASE_MIGRATION_URL: markPooled(DATABASE_MIGRATION_URL) }),
  };
}
