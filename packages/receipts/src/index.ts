// Receipts for finished calls, signed so that anyone can verify them without asking this server.
export { openReceipts, type Receipts } from "./open-receipts.ts";
export {
  listSigningKeys,
  opensSigningKey,
  replaceOldKey,
  rotateSigningKey,
} from "./signing-keys.ts";
