import type { BankWays, PublishedWays } from "../BankOptions.ts"
import { recurringRoots } from "./recurringRoots.ts"
import { combine, onlyFor, type Reshape, withStatus } from "./reshaping.ts"

interface ChargeBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly pixCopiaECola?: string
}

/** No published answer about a due-date charge has the code; seconds are a text; there are fields of the bank's own. */
const withOwnForm = (resource: string, body: unknown): unknown => {
  const { calendario, pixCopiaECola, ...charge } = body as ChargeBody
  const { expiracao } = calendario
  return {
    ...charge,
    calendario: { ...calendario, ...(expiracao !== undefined && { expiracao: String(expiracao) }) },
    codCpfCnpj: 12345678,
    codFilial: 1,
    ...(resource === "cob" && { pixCopiaECola }),
  }
}

const withOwnCharges: Reshape = (answer, { path }) => {
  const [, resource = ""] = path.split("/")
  return answer.status < 400 ? { ...answer, body: withOwnForm(resource, answer.body) } : answer
}

const charges = ["PUT", "GET", "PATCH"].flatMap((method) => [`${method} cob`, `${method} cobv`])

const reshape = combine(onlyFor(charges, withOwnCharges), onlyFor(["PUT cobv", "PUT pix"], withStatus(201, 200)))

const both: Partial<BankWays> = {
  apiRoot: "/v2",
  tokenPath: "/auth/server/oauth/token",
  // No published request has a scope: the contract defines it.
  token: { client: "header", content: "form", scope: "refused", query: {} },
  reshape,
}

/**
 * Bradesco, after https://github.com/frones/ACBr (`ACBrPIXPSPBradesco.pas`: hosts, statuses) and
 * https://github.com/sistem-atc/bank-sdk (forms), read 2026-11-22. Of the three token paths in public sources, the one that
 * most of them have. Pix Automático after the same unit in https://github.com/patrick9as/ACBr, read 2026-11-29.
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
