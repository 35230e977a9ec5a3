import type { CompanyInput } from "@pixcharge/core/directory"

export const company = {
  cnpj: "12345678000195",
  name: "Padaria Aurora Ltda",
  city: "Recife",
  pixKey: "12345678000195",
  integratorKey: "key-of-the-test-company",
  graceDays: 5,
} as const satisfies CompanyInput
