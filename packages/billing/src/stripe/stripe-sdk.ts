// The only importer of `stripe`, for the files that call it; nothing else of billing knows its shapes.
export { default as Stripe } from "stripe";
