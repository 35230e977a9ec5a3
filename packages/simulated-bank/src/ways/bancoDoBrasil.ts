import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import type { Fields } from "../wire/json.ts"
import { combine, onlyFor, type Reshape, wallClock, withCharges, withInstants, withStatus } from "./reshaping.ts"

const dayMs = 24 * 3_600_000

/** A refusal in the format of the bank's systems behind API Pix. */
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

const ownCharge = (body: Fields): Fields => {
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

/** Answers 404 instead of an empty list. */
const withoutEmptyPages: Reshape = (answer, { path }) =>
  path === "/pix" && isEmptyPage(answer) ? problem(404, "NaoEncontrado", "Nenhum Pix foi encontrado") : answer

const withOwnRefusals: Reshape = (answer) => (answer.status === 400 ? ownRefusal(answer) : answer)

/** Brasília's time, with ten decimals and no zone. */
const brasiliaInTenDecimals = withInstants((at) => wallClock(at).replace("Z", "4860000"))

const reshape = combine(
  withoutEmptyPages,
  withOwnRefusals,
  withCharges(ownCharge),
  onlyFor(["PATCH cob", "PATCH cobv"], withStatus(200, 201)),
  onlyFor(["PUT cob", "PUT cobv", "PUT pix"], withStatus(201, 200)),
  brasiliaInTenDecimals,
  withCharges(({ pixCopiaECola, ...charge }) => ({ ...charge, textoImagemQRcode: pixCopiaECola })),
)

const both: Partial<BankWays> = {
  apiRoot: "/pix/v2",
  token: { client: "header", content: "form", scope: "required", query: {} },
  wants: { headers: {}, query: { "gw-dev-app-key": "applicationKey" } },
  refusesPeriod: (from, to) => to - from >= 5 * dayMs,
  reshape,
}

/**
 * Banco do Brasil. Sources: https://github.com/vinhais/bb-pix-go (hosts, key of the application),
 * https://github.com/igor061/bbapipix (empty list, scope; its owner's notes of 2026-09-11 say "less than five days"),
 * https://github.com/eldereng/PixBancoBrasil (answers of 2021: instants, seconds as a string, name of the code),
 * https://github.com/frones/ACBr (`ACBrPIXPSPBancoDoBrasil.pas`: statuses, `erros`), all read 2026-11-22. It is unknown whether
 * production still omits the zone, so this is the stricter way.
 */
export const bancoDoBrasil: PublishedWays = {
  production: { ...both, hosts: { api: "api-pix.bb.com.br", token: "oauth.bb.com.br" } },
  sandbox: {
    ...both,
    hosts: { api: "api.hm.bb.com.br", token: "oauth.hm.bb.com.br" },
    certificate: "none",
  },
}
