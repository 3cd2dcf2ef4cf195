// Receipts for finished calls, signed so that anyone can verify them without asking this server.
export { createReceipts, type Receipts } from "./create-receipts.ts";
export {
  listSigningKeys,
  opensSigningKey,
  replaceOldKey,
  rotateSigningKey,
} from "./signing-keys.ts";
