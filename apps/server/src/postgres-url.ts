// The setting that names a PostgreSQL database, with one host or several, and with what libpq calls sslmode and
// sslrootcert.
import { findUrlMistake } from "@turnpike/db";
import { z } from "zod";

export const postgresUrl = z.string().superRefine((text, context) => {
  const message = findUrlMistake(text);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});
