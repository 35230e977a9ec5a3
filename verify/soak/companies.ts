/** A company of the run. */
export interface SoakCompany {
  readonly cnpj: string
  readonly name: string
  readonly pixKey: string
  readonly integratorKey: string
}

/** Who issues charges; each has a receiver of events of its own, and an account at the bank. */
export const companies: ReadonlyArray<SoakCompany> = ["12345678000195", "11222333000181", "11444777000161"].map(
  (cnpj, at) => ({
    cnpj,
    name: `Empresa ${at + 1}`,
    pixKey: `empresa${at + 1}@example.com`,
    integratorKey: `integrator key of ${cnpj}`,
  }),
)

/** Under which a company's connection authenticates at the bank; the certificate has the id as its common name. */
export const clientOf = ({ cnpj }: SoakCompany) => ({ clientId: `client-${cnpj}`, clientSecret: `secret of ${cnpj}` })

/** Signs the events. */
export const callbackSecret = "whsec_c2VncmVkby1kZS10ZXN0ZS1jb20tMzItYnl0ZXMtISE="

/** By which the host's connections are known in the database. */
export const applicationName = "soak-host"
