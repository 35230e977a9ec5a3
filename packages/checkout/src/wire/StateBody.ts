import type { PageStatus, Snapshot } from "../state/Snapshot.ts"

/** The statuses on the wire. */
export const stateNames = {
  pending: "pendente",
  paid: "pago",
  expired: "expirado",
  refunding: "devolvendo",
  refunded: "devolvido",
  cancelled: "cancelado",
} as const satisfies Readonly<Record<PageStatus, string>>

/** The body of `/estado`: what a page shows. Amounts are integer cents, instants epoch milliseconds, days `YYYY-MM-DD`. */
export interface StateBody {
  /** The same as long as the page shows the same; `agora` doesn't count. */
  readonly id: string
  /** The server's clock, by which a page counts down. */
  readonly agora: number
  readonly status: (typeof stateNames)[PageStatus]
  /** Whether the charge can't change any more. */
  readonly final: boolean
  readonly recebedor: { readonly nome: string; readonly documento: string }
  /** What is paid for: the charge's message to its payer, and its further lines. */
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
  /** The business day that the due date moved to. */
  readonly vencimentoUtil?: string
  readonly pagavelAte: number
  /** The copy-and-paste code, while it can be paid. */
  readonly brCode?: string
  readonly pagamento?: { readonly valor: number; readonly em: number; readonly atrasado: boolean }
  /** How much of the payment went back; absent for nothing. */
  readonly devolvido?: number
  readonly devolvidoEm?: number
  readonly canceladoEm?: number
  /** Whether the payer can get a new code. */
  readonly podeRenovar: boolean
}

/** The body without what differs each time. */
export type StateFacts = Omit<StateBody, "id" | "agora">

/** Writes a snapshot for its pages. The payment's endToEndId is on the receipt alone: it names the payer's institution. */
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
