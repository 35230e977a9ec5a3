import type { CheckoutState, CheckoutStatus } from "../view/CheckoutState.ts"
import type { StateBody } from "./StateBody.ts"

const statuses: Readonly<Record<StateBody["status"], CheckoutStatus>> = {
  pendente: "pending",
  pago: "paid",
  expirado: "expired",
  devolvendo: "refunding",
  devolvido: "refunded",
  cancelado: "cancelled",
}

/** Translates the body of `/estado`. */
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
