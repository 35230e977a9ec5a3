import type { CompanyInput } from "@pixcharge/core/directory"

/** A company that can issue, with a default payer for due-date charges. */
export const testCompany = {
  cnpj: "12345678000195",
  name: "Padaria Aurora Ltda",
  city: "Recife",
  pixKey: "12345678000195",
  integratorKey: "key-of-the-test-company",
  graceDays: 5,
  genericPayer: { name: "Fulano de Tal", taxId: "52998224725" },
} as const satisfies CompanyInput

/** Noon of Monday, 1 March 2027 in Brasília, without holidays nearby. */
export const testNow = Date.UTC(2027, 2, 1, 15)
