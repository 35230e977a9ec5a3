import type { CompanyRegistration, ResellerRegistration } from "@pixcharge/core"

/** A reseller with a wallet. */
export const aReseller = {
  cnpj: "00000000000191",
  name: "Revenda Central S.A.",
  integratorKey: "chave da revenda",
} as const satisfies ResellerRegistration

/** A company of no reseller, with a key of its own. */
export const anIndependent = {
  cnpj: "11222333000181",
  name: "Vizinho & Filhos",
  city: "Recife",
  pixKey: "vizinho@example.com",
  graceDays: 1,
  integratorKey: "chave|do vizinho",
} as const satisfies CompanyRegistration

/** A company of the reseller. */
export const aMember = {
  cnpj: "12345678000195",
  name: "Loja Exemplo",
  city: "São Paulo",
  pixKey: "123e4567-e89b-12d3-a456-426655440000",
  graceDays: 5,
  reseller: aReseller.cnpj,
} as const satisfies CompanyRegistration
