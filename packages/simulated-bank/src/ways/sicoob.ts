import type { BankWays, PublishedWays } from "../wire/BankOptions.ts"
import { type Fields, fields } from "../wire/json.ts"
import { combine, type Reshape, withCharges } from "./reshaping.ts"

const withOwnCharges = withCharges(({ pixCopiaECola, ...rest }) => ({ ...rest, brcode: pixCopiaECola }))

const payment = (body: unknown): Fields => ({
  devolucoes: [],
  ...fields(body),
  nomePagador: "Maria da Prova",
  pagador: { nome: "Maria da Prova", cpf: "***.456.789-**" },
})

const list = (items: unknown): unknown => (Array.isArray(items) ? items.map(payment) : items)

const reshapeRest: Reshape = (answer, { method, path }) => {
  const { status, body } = answer
  if (status >= 400) return answer
  if (path.includes("/devolucao/")) return { ...answer, status: 200 }
  if (method !== "GET" || !path.startsWith("/pix")) return answer
  return { ...answer, body: path === "/pix" ? { ...fields(body), pix: list(fields(body)["pix"]) } : payment(body) }
}

const reshape = combine(withOwnCharges, reshapeRest)

const writeMonth = (at: number): string => new Date(at - 3 * 3_600_000).toISOString().slice(0, 7)

const both: Partial<BankWays> = {
  apiRoot: "/pix/api/v2",
  // The bank's samples send the first header. Programs send the second header or both.
  wants: { headers: { "client_id|x-sicoob-clientid": "clientId" }, query: {} },
  refusesPeriod: (from, to) => writeMonth(from) !== writeMonth(to),
  keyInNotices: false,
  nulls: true,
  noticeBody: (body) => ({
    pix: (fields(body)["pix"] as ReadonlyArray<object>).map((one) => ({ devolucoes: [], ...one })),
  }),
  reshape,
}

/**
 * Sicoob, modelled on its API definition (Sicoob-Cooperativa/sicoob_sdk_java: pix and auth, openapi.yaml), its support's
 * samples (Suporte-APIs-Sicoob/apis-python), a recorded notice (SharpSistemas/SicoobAPI: README.md) and change logs of
 * programs that call it (AcxTechSistemas/pix_sicoob, ACBr); read 2026-11-22.
 */
export const sicoob: PublishedWays = {
  production: {
    ...both,
    hosts: { api: "api.sicoob.com.br", token: "auth.sicoob.com.br" },
    tokenPath: "/auth/realms/cooperado/protocol/openid-connect/token",
    token: { client: "certificate", content: "form", scope: "required", query: {} },
    tokenLifetimeSeconds: 300,
  },
  sandbox: {
    ...both,
    hosts: { api: "sandbox.sicoob.com.br", token: "sandbox.sicoob.com.br" },
    apiRoot: "/sicoob/sandbox/pix/api/v2",
    certificate: "none",
    token: { client: "fixed", content: "form", scope: "optional", query: {} },
  },
}
