import { onTestFinished, expect } from "vitest"
import { type BankOptions, startSimulatedBank } from "../../src/index.ts"
import { findFlaws } from "./findFlaws.ts"

/** The fields that tests read in a body. */
export interface Shown {
  readonly access_token: string
  readonly type: string
  readonly violacoes?: ReadonlyArray<{ readonly propriedade: string }>
  readonly id: number
  readonly location: string
  readonly idRec: string
  readonly idSolicRec: string
  readonly txid: string
  readonly status: string
  readonly loc?: { readonly id: number; readonly location: string }
  readonly pixCopiaECola: string
  readonly dadosQR?: { readonly jornada: string; readonly pixCopiaECola: string }
  readonly ativacao: object
  readonly pagador?: object
  readonly solicitacao?: ReadonlyArray<{ readonly status: string }>
  readonly encerramento: object
  readonly tentativas?: ReadonlyArray<{
    readonly tipo: string
    readonly dataLiquidacao: string
    readonly status: string
    readonly rejeicao?: { readonly codigo: string }
  }>
  readonly pix: ReadonlyArray<{ readonly txid: string }>
  readonly recs: ReadonlyArray<{ readonly idRec: string }>
  readonly cobsr: ReadonlyArray<{ readonly txid: string }>
  readonly parametros: object
}

export const shop = {
  cnpj: "12345678000195",
  name: "Loja",
  pixKeys: ["loja@example.com"],
  clientId: "loja",
  clientSecret: "secret",
  accountNumber: "1234567",
}

const neighbour = { ...shop, cnpj: "98765432000198", pixKeys: ["vizinha@example.com"], clientId: "vizinha" }

export interface Answered {
  readonly status: number
  readonly body: Shown
  readonly text: string
}

/** A fixed subscription of 49.90 on each 10th, from 2026-12-10. */
export const monthly = {
  vinculo: { contrato: "c1", objeto: "Assinatura", devedor: { cpf: "12345678909", nome: "Maria" } },
  calendario: { dataInicial: "2026-12-10", periodicidade: "MENSAL" },
  valor: { valorRec: "49.90" },
  politicaRetentativa: "PERMITE_3R_7D",
}

export const brasilia = (day: string, hour = 9, minute = 0): number =>
  Date.parse(`${day}T00:00:00-03:00`) + (hour * 60 + minute) * 60_000

interface Opening extends Partial<BankOptions> {
  readonly isSound?: boolean
  readonly root?: string
}

/**
 * A bank whose clock the test sets, and a plain HTTP client. At the end of the test, the bank's messages are checked against the
 * API, unless its ways differ.
 */
export const openBank = async ({ isSound = true, root = "/api/v2", ...options }: Opening = {}) => {
  let now = brasilia("2026-12-01")
  const bank = await startSimulatedBank({ accounts: [shop, neighbour], now: () => now, ...options })
  onTestFinished(async () => {
    await bank.webhooks.idle()
    await bank.close()
    if (isSound) expect(findFlaws(bank)).toEqual([])
  })

  const authorize = async (clientId: string): Promise<string> => {
    const authorization = `Basic ${Buffer.from(`${clientId}:secret`).toString("base64")}`
    const form = { grant_type: "client_credentials" }
    const headers = { authorization, "content-type": "application/json" }
    const sent = { method: "POST", headers, body: JSON.stringify(form) }
    return ((await (await fetch(`${bank.baseUrl}/oauth/token`, sent)).json()) as Shown).access_token
  }

  const callAs = async (clientId: string, method: string, path: string, body?: unknown): Promise<Answered> => {
    const headers = { authorization: `Bearer ${await authorize(clientId)}`, "content-type": "application/json" }
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${bank.baseUrl}${root}${path}`, sent)
    const text = await response.text()
    return { status: response.status, text, body: text.startsWith("{") ? (JSON.parse(text) as Shown) : ({} as Shown) }
  }
  const call = (method: string, path: string, body?: unknown) => callAs(shop.clientId, method, path, body)

  const offer = async (terms: object = monthly): Promise<string> => {
    const { body } = await call("POST", "/locrec")
    return (await call("POST", "/rec", { ...terms, loc: body.id })).body.idRec
  }
  const approved = async (terms: object = monthly): Promise<string> => {
    const idRec = await offer(terms)
    bank.recurring.approve(idRec)
    return idRec
  }

  let count = 0
  const newTxid = (): string => `txid${String(++count).padStart(28, "0")}`
  const cycleBody = (idRec: string, dueDate: string, original = "49.90") => ({
    idRec,
    calendario: { dataDeVencimento: dueDate },
    valor: { original },
    ajusteDiaUtil: true,
    recebedor: { conta: shop.accountNumber, tipoConta: "CORRENTE" },
  })
  const charge = async (idRec: string, dueDate: string, original?: string) => {
    const txid = newTxid()
    return { txid, ...(await call("PUT", `/cobr/${txid}`, cycleBody(idRec, dueDate, original))) }
  }
  const look = async (txid: string) => {
    const { body } = await call("GET", `/cobr/${txid}`)
    const attempts = body.tentativas ?? []
    return [
      body.status,
      ...attempts.map((one) => [one.tipo, one.dataLiquidacao, one.rejeicao?.codigo ?? one.status].join(" ")),
    ]
  }
  const setTime = (at: number): void => void (now = at)
  return { bank, call, callAs, offer, approved, charge, cycleBody, newTxid, look, setTime }
}

export const refusal = ({ status, body }: Answered) => [
  status,
  String(body.type).split("/").at(-1),
  body.violacoes?.[0]?.propriedade,
]
