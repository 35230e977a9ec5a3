import type { RecurrenceSnapshot } from "../snapshot/RecurrenceSnapshot.ts"
import type { PageStatus, Snapshot } from "../snapshot/Snapshot.ts"
import type { CheckoutState, CheckoutStatus } from "../view/CheckoutState.ts"

const stateNames = {
  pending: "pendente",
  paid: "pago",
  expired: "expirado",
  refunding: "devolvendo",
  refunded: "devolvido",
  cancelled: "cancelado",
} as const satisfies Readonly<Record<PageStatus, string>>

/** The body of `/estado`. Amounts are integer cents, instants epoch milliseconds, days `YYYY-MM-DD`. */
export interface StateBody {
  /** Changes with any field except `agora`. */
  readonly id: string
  /** The server's time. The page's countdown uses it. */
  readonly agora: number
  readonly status: (typeof stateNames)[PageStatus]
  readonly final: boolean
  readonly recebedor: { readonly nome: string; readonly documento: string }
  readonly descricao?: string
  readonly informacoes?: ReadonlyArray<{ readonly nome: string; readonly valor: string }>
  readonly valores: {
    readonly original: number
    readonly abatimento: number
    readonly desconto: number
    readonly juros: number
    readonly multa: number
    readonly total: number
  }
  readonly vencimento?: string
  /** The business day that replaces the due date. */
  readonly vencimentoUtil?: string
  readonly pagavelAte: number
  readonly brCode?: string
  readonly pagamento?: { readonly valor: number; readonly em: number; readonly atrasado: boolean }
  /** The returned part of the payment; absent if it is zero. */
  readonly devolvido?: number
  readonly devolvidoEm?: number
  readonly canceladoEm?: number
  readonly podeRenovar: boolean
}

export type StateFacts = Omit<StateBody, "id" | "agora">

/** Omits the payment's endToEndId, because it names the payer's institution. Only the receipt shows it. */
export const stateFacts = (snapshot: Snapshot): StateFacts => {
  const { description, additionalInfo, amount, dueDate, movedDueDate, brCode, payment } = snapshot
  const { returnedCents, refundedAt, cancelledAt } = snapshot
  return {
    status: stateNames[snapshot.status],
    final: snapshot.isFinal,
    recebedor: { nome: snapshot.payeeName, documento: snapshot.payeeTaxId },
    ...(description !== undefined && { descricao: description }),
    ...(additionalInfo && { informacoes: additionalInfo.map(({ name, value }) => ({ nome: name, valor: value })) }),
    valores: {
      original: amount.originalCents,
      abatimento: amount.abatementCents,
      desconto: amount.discountCents,
      juros: amount.interestCents,
      multa: amount.fineCents,
      total: amount.totalCents,
    },
    ...(dueDate !== undefined && { vencimento: dueDate }),
    ...(movedDueDate !== undefined && { vencimentoUtil: movedDueDate }),
    pagavelAte: snapshot.payableUntil,
    ...(brCode !== undefined && { brCode }),
    ...(payment && { pagamento: { valor: payment.amountCents, em: payment.paidAt, atrasado: payment.isLate } }),
    ...(returnedCents > 0 && { devolvido: returnedCents }),
    ...(refundedAt !== undefined && { devolvidoEm: refundedAt }),
    ...(cancelledAt !== undefined && { canceladoEm: cancelledAt }),
    podeRenovar: snapshot.canRenew,
  }
}

const statuses: Readonly<Record<StateBody["status"], CheckoutStatus>> = {
  pendente: "pending",
  pago: "paid",
  expirado: "expired",
  devolvendo: "refunding",
  devolvido: "refunded",
  cancelado: "cancelled",
}

export const readState = (body: StateBody): CheckoutState => ({
  id: body.id,
  now: body.agora,
  status: statuses[body.status],
  isFinal: body.final,
  payee: { name: body.recebedor.nome, taxId: body.recebedor.documento },
  description: body.descricao,
  additionalInfo: body.informacoes?.map(({ nome, valor }) => ({ name: nome, value: valor })) ?? [],
  amounts: {
    originalCents: body.valores.original,
    abatementCents: body.valores.abatimento,
    discountCents: body.valores.desconto,
    interestCents: body.valores.juros,
    fineCents: body.valores.multa,
    totalCents: body.valores.total,
  },
  dueDate: body.vencimento,
  movedDueDate: body.vencimentoUtil,
  payableUntil: body.pagavelAte,
  brCode: body.brCode,
  payment: body.pagamento && {
    amountCents: body.pagamento.valor,
    paidAt: body.pagamento.em,
    isLate: body.pagamento.atrasado,
  },
  returnedCents: body.devolvido ?? 0,
  refundedAt: body.devolvidoEm,
  canRenew: body.podeRenovar,
})

const statusNames = {
  preparing: "preparando",
  offered: "oferecida",
  approved: "autorizada",
  ended: "encerrada",
} as const satisfies Readonly<Record<RecurrenceSnapshot["status"], string>>

/** The body of `/estado` of a recurrence, without `id` and `agora`. */
export interface RecurrenceFacts {
  readonly status: (typeof statusNames)[RecurrenceSnapshot["status"]]
  /** True if the payer has no change to wait for. */
  readonly final: boolean
  readonly brCode?: string
}

/** Open pages reload when these facts change. */
export const recurrenceFacts = ({ status, isFinal, brCode }: RecurrenceSnapshot): RecurrenceFacts => ({
  status: statusNames[status],
  final: isFinal,
  ...(brCode !== undefined && { brCode }),
})
