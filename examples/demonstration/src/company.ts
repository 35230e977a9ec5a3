import type { CompanyInput, Directory } from "@pixcharge/embed"
import type { Settings } from "./settings.ts"

/** The demonstration company, and the integrator key of its reseller, with which it authenticates. */
export const demonstrationCnpj = "12345678000195"
export const demonstrationKey = "chave-de-demonstracao"

const resellerCnpj = "00000000000191"

/** The company's registration. Register its reseller first. */
export const demonstrationCompany: CompanyInput = {
  cnpj: demonstrationCnpj,
  name: "Empresa Demonstração",
  city: "Brasília",
  pixKey: "123e4567-e12b-12d1-a456-426655440000",
  graceDays: 5,
  reseller: resellerCnpj,
}

/** Registers the company's reseller, with a callback if there is one. */
export const registerReseller = async (directory: Directory, { callback }: Settings): Promise<void> => {
  await directory.putReseller({
    cnpj: resellerCnpj,
    name: "Revenda Demonstração",
    integratorKey: demonstrationKey,
    ...(callback && { callback: { url: callback.url, secrets: [callback.secret], kinds: ["paid", "refunded"] } }),
  })
  if (callback === undefined) await directory.removeCallback(resellerCnpj)
}
