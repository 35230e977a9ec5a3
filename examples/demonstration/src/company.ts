import type { Settings } from "./settings.ts"

/** The demonstration company, and the integrator key of its reseller, with which it authenticates. */
export const demonstrationCnpj = "12345678000195"
export const demonstrationKey = "chave-de-demonstracao"

const resellerCnpj = "00000000000191"

/** Who takes part in the demonstration: a reseller with a callback, and a company of its. */
export const registrations = ({ callback }: Settings) => ({
  resellers: [
    {
      cnpj: resellerCnpj,
      name: "Revenda Demonstração",
      integratorKey: demonstrationKey,
      ...(callback && {
        callback: { url: callback.url, secrets: [callback.secret], kinds: ["paid", "refunded"] as const },
      }),
    },
  ],
  companies: [
    {
      cnpj: demonstrationCnpj,
      name: "Empresa Demonstração",
      city: "Brasília",
      pixKey: "123e4567-e12b-12d1-a456-426655440000",
      graceDays: 5,
      reseller: resellerCnpj,
    },
  ],
})
