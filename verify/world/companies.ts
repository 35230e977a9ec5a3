/** A company with an account and a client at the bank. The client id is the common name of the client's certificate. */
export interface Company {
  readonly cnpj: string
  readonly name: string
  readonly pixKey: string
  readonly integratorKey: string
  readonly clientId: string
  readonly clientSecret: string
}

export const companies: ReadonlyArray<Company> = [
  "12345678000195",
  "11222333000181",
  "11444777000161",
  "22233344000183",
].map((cnpj, index) => ({
  cnpj,
  name: `Empresa ${index + 1}`,
  pixKey: `empresa${index + 1}@example.com`,
  integratorKey: `integrator key of ${cnpj}`,
  clientId: `client-${cnpj}`,
  clientSecret: `secret of ${cnpj}`,
}))
