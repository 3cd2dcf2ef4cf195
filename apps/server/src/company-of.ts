// The operator's company, as statements name it.
import type { CompanyDetails } from "@turnpike/db";
import type { Config } from "./config.ts";

type CompanySettings = Pick<
  Config,
  "COMPANY_NAME" | "COMPANY_ADDRESS" | "COMPANY_TAX_ID" | "PRODUCT_NAME"
>;

export function companyOf(config: CompanySettings): CompanyDetails {
  return {
    name: config.COMPANY_NAME || config.PRODUCT_NAME,
    addressLines: config.COMPANY_ADDRESS.split("|").map((line) => line.trim()),
    taxNumber: config.COMPANY_TAX_ID,
  };
}
