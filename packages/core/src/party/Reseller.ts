import type { Cnpj } from "./Cnpj.ts"

/** Who sells the service to companies, holds the integrator key for them and is notified of their payments. */
export interface Reseller {
  readonly cnpj: Cnpj
  readonly name: string
  readonly walletActive: boolean
}
