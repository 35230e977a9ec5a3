import { type BankWays, type PublishedWays, recurringRoots } from "../wire/BankOptions.ts"
import type { BankRequest } from "../wire/BankRequest.ts"
import type { Fields } from "../wire/json.ts"
import { combine, onlyFor, withCharges, withStatus } from "./reshaping.ts"

interface ChargeBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly pixCopiaECola?: string
}

/** In published answers, due-date charges lack the code, and seconds are a string. The bank adds its own fields. */
const ownCharge = (body: Fields, { path }: BankRequest): Fields => {
  const { calendario, pixCopiaECola, ...charge } = body as unknown as ChargeBody
  const { expiracao } = calendario
  return {
    ...charge,
    calendario: { ...calendario, ...(expiracao !== undefined && { expiracao: String(expiracao) }) },
    codCpfCnpj: 12345678,
    codFilial: 1,
    ...(!path.startsWith("/cobv") && { pixCopiaECola }),
  }
}

const reshape = combine(withCharges(ownCharge), onlyFor(["PUT cobv", "PUT pix", "POST cob"], withStatus(201, 200)))

const both: Partial<BankWays> = {
  apiRoot: "/v2",
  tokenPath: "/auth/server/oauth/token",
  // No published request has a scope, because the contract defines it.
  token: { client: "header", content: "form", scope: "refused", query: {} },
  reshape,
}

/**
 * Bradesco. Sources: https://github.com/frones/ACBr (`ACBrPIXPSPBradesco.pas`: hosts, statuses) and
 * https://github.com/sistem-atc/bank-sdk (forms), read 2026-11-22, with the most common of three published token paths. Pix
 * Automático: the same unit in https://github.com/patrick9as/ACBr, read 2026-11-29.
 */
export const bradesco: PublishedWays = {
  production: {
    ...both,
    hosts: { api: "qrpix.bradesco.com.br", token: "qrpix.bradesco.com.br" },
    apiRoots: recurringRoots("https://apipix.bradesco.com.br/v1"),
  },
  sandbox: {
    ...both,
    hosts: { api: "qrpix-h.bradesco.com.br", token: "qrpix-h.bradesco.com.br" },
    apiRoots: recurringRoots("https://apipix-h.bradesco.com.br/v1"),
  },
}
