import type { BankRequest } from "../BankServer.ts"
import type { BankWays, PublishedWays } from "../BankOptions.ts"
import { withoutZone } from "../brasiliaTime.ts"
import { problem, type BankAnswer } from "../problems.ts"

const dayMs = 24 * 3_600_000

/** A refusal as the bank's own systems write it, below those of API Pix. */
const ownRefusal = ({ status, body }: BankAnswer): BankAnswer => ({
  status,
  body: {
    erros: [
      {
        codigo: "4678420",
        versao: "1",
        mensagem: (body as { readonly detail: string }).detail,
        ocorrencia: "CHOM00000062715498140101",
      },
    ],
  },
})

const withOwnForm = (body: unknown): unknown => {
  const { valor, calendario, devedor, ...charge } = body as {
    readonly valor: { readonly original: string }
    readonly calendario: Readonly<Record<string, unknown>>
    readonly devedor?: unknown
  }
  const { expiracao } = calendario
  return {
    ...charge,
    calendario: { ...calendario, ...(expiracao !== undefined && { expiracao: String(expiracao) }) },
    valor: { ...valor, original: valor.original.replace(/0$/, "") },
    devedor: devedor ?? { nome: "" },
  }
}

const isEmptyPage = ({ status, body }: BankAnswer): boolean =>
  status === 200 && (body as { readonly pix: ReadonlyArray<unknown> }).pix.length === 0

/** 200 where the standard creates, and 201 where it changes. */
const statusOf = (method: string, status: number): number => {
  if (method === "PUT" && status === 201) return 200
  return method === "PATCH" && status === 200 ? 201 : status
}

const reshape = (answer: BankAnswer, { method, path }: BankRequest): BankAnswer => {
  const [, resource = "", id] = path.split("/")
  if (resource === "pix" && id === undefined && isEmptyPage(answer)) {
    return problem(404, "NaoEncontrado", "Nenhum Pix foi encontrado")
  }
  const { status } = answer
  if (status >= 400) return status === 400 ? ownRefusal(answer) : answer
  const body = resource === "cob" || resource === "cobv" ? withOwnForm(answer.body) : answer.body
  return { ...answer, status: statusOf(method, status), body: withoutZone(body) }
}

const both: Partial<BankWays> = {
  apiRoot: "/pix/v2",
  token: { client: "header", content: "form", scope: "required", query: {} },
  wants: { headers: {}, query: { "gw-dev-app-key": "applicationKey" } },
  refusesPeriod: (from, to) => to - from >= 5 * dayMs,
  reshape,
}

/** Homologation names the code as the first version of this API did. */
const reshapeInHomologation: BankWays["reshape"] = (answer, call) => {
  const { body, ...rest } = reshape(answer, call)
  if (typeof body !== "object" || body === null || !("pixCopiaECola" in body)) return { ...rest, body }
  const { pixCopiaECola, ...charge } = body
  return { ...rest, body: { ...charge, textoImagemQRcode: pixCopiaECola } }
}

/**
 * Banco do Brasil, after https://github.com/vinhais/bb-pix-go (hosts, key of the application),
 * https://github.com/igor061/bbapipix (empty list, scope; its owner's notes of 2026-09-11 say "less than five days"),
 * https://github.com/eldereng/PixBancoBrasil (answers of 2021: instants, seconds as a text, name of the code),
 * https://github.com/frones/ACBr (`ACBrPIXPSPBancoDoBrasil.pas`: statuses, `erros`), all read 2026-11-22. Whether production
 * still leaves the zone out is not known: the stricter way.
 */
export const bancoDoBrasil: PublishedWays = {
  production: { ...both, hosts: { api: "api-pix.bb.com.br", token: "oauth.bb.com.br" } },
  sandbox: {
    ...both,
    hosts: { api: "api.hm.bb.com.br", token: "oauth.hm.bb.com.br" },
    certificate: "none",
    reshape: reshapeInHomologation,
  },
}
