// Formatting of numbers, money and time, in one place for all pages, in the reader's language as their browser states
// it. It is also the one in which the browser draws its own date fields.
import { setLanguage } from "@turnpike/format";

setLanguage(() => navigator.language);

export * from "@turnpike/format";
