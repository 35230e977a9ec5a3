import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { Accounts } from "../../judge/Accounts.ts"

/** Two companies of one account. */
export const [issuer, other] = [cnpj("12345678000195"), cnpj("11222333000181")]

export const openAccount = (showsKeys = true): Accounts =>
  new Accounts(
    [
      { cnpj: issuer, holder: issuer, pixKey: "own" },
      { cnpj: other, holder: issuer, pixKey: "another's" },
    ],
    showsKeys,
  )
