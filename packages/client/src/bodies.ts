import type { ChargeRequest, IssuedCharge, Payment, Refund, UnpaidState } from "./PixClient.ts"

/** The contract as this client writes and reads it (docs/interface.md). No other module has the contract's Portuguese names. */

/** The paths of calls, below the service's address. */
export const paths = {
  token: "/api/token",
  charges: "/api/pix",
  charge: (id: string) => `/api/pix/${encodeURIComponent(id)}`,
  simulation: (id: string) => `/api/pix/simular-pagamento/${encodeURIComponent(id)}`,
} as const

export interface CredentialsBody {
  readonly cnpj: string
  readonly chave: string
}

export interface TokenBody {
  readonly sucesso: true
  readonly data: string
}

export interface ChargeBody {
  readonly formaPagamento: {
    readonly tpTransacao: 11
    readonly idFaturaPag: string
    readonly modPagamento: 18
    readonly valorPagamento: number
    readonly dataVencimento?: string
  }
  readonly cliente?: { readonly xNome: string; readonly documento: string }
}

export interface ChargeReplyBody {
  readonly sucesso: true
  readonly data: {
    readonly retTexto: string
    readonly retUrl: string
    readonly transacaoId: string
    readonly expira: string
  }
}

export interface StatusBody {
  readonly sucesso: true
  readonly data: {
    readonly retTexto: string
    readonly response: {
      readonly id: string
      readonly referencia: string
      readonly tpComando: number
      readonly dRetorno: string
      readonly msgOperador: string
      readonly viaCliente: string
      readonly viaEstabelecimento: string
      readonly tpConfirmacao: number
      readonly numCartao: string
      readonly vLanc: number
      readonly dTransacao: string
      readonly arqRetorno: string
      readonly dInsert: string
      readonly dUpdate: string
    }
  }
}

export interface SimulationBody {
  readonly sucesso: true
  readonly data: { readonly retTexto: string }
}

export interface RefundBody {
  readonly sucesso: true
  readonly data: {
    readonly retTexto: string
    readonly transacaoId: string
    readonly referencia: string
    readonly vLanc: number
    readonly dRetorno: string
  }
}

export interface ErrorBody {
  readonly sucesso: false
  readonly errors: string
}

/** The values of a failure's header `Pix-Erro`. */
export type ErrorCode =
  | "json-invalido"
  | "dados-invalidos"
  | "vencimento-fora-do-prazo"
  | "valor-menor-que-reducoes"
  | "id-invalido"
  | "credenciais-invalidas"
  | "token-invalido"
  | "empresa-nao-habilitada"
  | "empresa-nao-cadastrada"
  | "cobranca-nao-encontrada"
  | "rota-inexistente"
  | "metodo-nao-permitido"
  | "cobranca-divergente"
  | "cobranca-expirada"
  | "cobranca-cancelada"
  | "estorno-em-andamento"
  | "cobranca-estornada"
  | "cobranca-nao-paga"
  | "cobranca-devolvida-em-parte"
  | "prazo-de-estorno-encerrado"
  | "estorno-nao-realizado"
  | "cobranca-pendente"
  | "corpo-grande-demais"
  | "tipo-de-conteudo-invalido"
  | "simulacao-recusada"
  | "limite-excedido"
  | "erro-interno"
  | "processador-recusou"
  | "processador-indisponivel"
  | "servico-indisponivel"

export const codeHeader = "pix-erro"

/** The processor's refusal is final despite its status 502. */
export const refusedByProcessor: ErrorCode = "processador-recusou"

const unpaidStates: ReadonlyMap<string, UnpaidState> = new Map<ErrorCode, UnpaidState>([
  ["cobranca-pendente", "pending"],
  ["cobranca-expirada", "expired"],
  ["cobranca-cancelada", "cancelled"],
  ["estorno-em-andamento", "refunding"],
  ["cobranca-estornada", "refunded"],
])

/**
 * The state of an unpaid charge; undefined for any other answer. If a browser can't read the code, a 410 counts as pending.
 */
export const unpaidState = (status: number, code: string | undefined): UnpaidState | undefined => {
  if (status !== 409 && status !== 410) return undefined
  return unpaidStates.get(code ?? "") ?? (status === 410 ? "pending" : undefined)
}

export const isSuccessBody = (json: unknown): boolean => {
  const { sucesso, data } = (json ?? {}) as Partial<TokenBody>
  return sucesso === true && (data ?? undefined) !== undefined
}

/** The sentence of the service's failure; undefined for any other body. */
export const errorText = (json: unknown): string | undefined => {
  const { errors } = (json ?? {}) as Partial<ErrorBody>
  return typeof errors === "string" ? errors : undefined
}

export const credentialsBody = (cnpj: string, key: string): CredentialsBody => ({ cnpj, chave: key })

export const readToken = ({ data }: TokenBody): string => data

/** Cents divided by 100 are the nearest double, which JSON writes with at most two decimals. */
export const chargeBody = ({ id, amountCents, dueDate, payer }: ChargeRequest): ChargeBody => ({
  formaPagamento: {
    tpTransacao: 11,
    idFaturaPag: id,
    modPagamento: 18,
    valorPagamento: amountCents / 100,
    ...(dueDate !== undefined && { dataVencimento: dueDate }),
  },
  ...(payer !== undefined && { cliente: { xNome: payer.name, documento: payer.taxId } }),
})

const cents = (reais: number): number => Math.round(reais * 100)

export const readCharge = (id: string, { data }: ChargeReplyBody): IssuedCharge => ({
  id,
  transactionId: data.transacaoId,
  brCode: data.retUrl,
  payableUntil: Date.parse(data.expira),
})

export const readPayment = ({ data: { response } }: StatusBody): Payment => ({
  transactionId: response.id,
  amountCents: cents(response.vLanc),
  paidAt: Date.parse(response.dTransacao),
  recordedAt: Date.parse(response.dRetorno),
  customerReceipt: response.viaCliente,
  merchantReceipt: response.viaEstabelecimento,
})

export const readRefund = (isDone: boolean, { data }: RefundBody): Refund => {
  const amount = { transactionId: data.transacaoId, amountCents: cents(data.vLanc) }
  const at = Date.parse(data.dRetorno)
  return isDone ? { state: "refunded", ...amount, refundedAt: at } : { state: "refunding", ...amount, requestedAt: at }
}
