import { companyCnpj } from "../companyCnpj.ts"

/** A company of the life. */
export interface LifeCompany {
  readonly cnpj: string
  readonly pixKey: string
  readonly integratorKey: string
}

/** Who issues charges; each has a receiver and a connection to the bank of its own, as branches with one account have. */
export const companies: ReadonlyArray<LifeCompany> = Array.from({ length: 4 }, (_, index) => ({
  cnpj: companyCnpj(index + 1),
  pixKey: `empresa${index + 1}@example.com`,
  integratorKey: `the key of company ${index + 1}`,
}))

/** Their account at the bank, whose id is the common name of the certificate. */
export const client = { clientId: "pixcharge test receiver", clientSecret: "the secret of the account" }
