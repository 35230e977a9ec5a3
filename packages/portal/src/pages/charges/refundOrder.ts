import type { PlainCharge, PlainPartialRefund } from "@pixcharge/embed"
import type { Form } from "@pixcharge/web"
import { readReais } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { chargeMoney } from "./chargeParts.ts"

export const refundTexts = {
  title: "Devolver pagamento",
  confirmTitle: "Confirmar devolução",
  all: (amount: string) => `Devolver todo o valor disponível: ${amount}`,
  part: "Devolver uma parte",
  amount: "Valor a devolver",
  amountHint: (rest: string) => `Em reais, com vírgula: 12,50. Disponível: ${rest}.`,
  next: "Continuar",
  noAmount: "Informe um valor em reais, com vírgula para os centavos, como 12,50.",
  tooMuch: (rest: string) => `O valor é maior que o disponível para devolução: ${rest}.`,
  ask: (amount: string) => `Você vai devolver ${amount} ao pagador. A devolução não pode ser desfeita.`,
  submit: (amount: string) => `Devolver ${amount}`,
  restAfter: "Saldo após a devolução",
  window: (until: string) => `O Banco Central permite devolver até 90 dias após o pagamento: até ${until}.`,
  requested: (amount: string) =>
    `Esta devolução, de ${amount}, já foi solicitada. Para devolver mais, comece uma nova devolução.`,
  failedParts: "Devoluções recusadas pelo banco",
  failedPart: (amount: string, at: string) => `${amount}, solicitada em ${at}`,
  again: "Solicitar de novo",
  blocked: {
    notPaid: "Só o pagamento de uma cobrança paga pode ser devolvido.",
    refunding: "A devolução do pagamento inteiro está em andamento. Aguarde a conclusão.",
    part: "Uma devolução parcial está em andamento. Aguarde a conclusão para solicitar outra.",
    refunded: "O pagamento já foi devolvido integralmente.",
    uncertain: "O banco ainda não informou o resultado da última devolução solicitada. Aguarde a resposta.",
    window: (closed: string) =>
      `O prazo do Banco Central para devolver, de 90 dias após o pagamento, terminou em ${closed}.`,
  },
}

/** A failed partial refund, with its index in the charge's list. */
export interface FailedPart {
  readonly index: number
  readonly part: PlainPartialRefund
}

export interface RefundState {
  /** The refundable amount. If it is 0, `blocked` is the reason. */
  readonly restCents: number
  /** True until a first amount is returned. A refund of the full amount then refunds the charge itself. */
  readonly isWhole: boolean
  /** The failed parts, which can be requested again under their keys. */
  readonly failedParts: ReadonlyArray<FailedPart>
  readonly blocked?: string
}

const blockedText = (charge: PlainCharge, now: number): string => {
  const { blocked } = refundTexts
  if (charge._tag === "Refunding") return blocked.refunding
  if (charge._tag === "Refunded") return blocked.refunded
  if (charge._tag !== "Paid") return blocked.notPaid
  const { refundableUntil = 0, returningCents } = chargeMoney(charge)
  if (now > refundableUntil) return blocked.window(formats.moment(refundableUntil))
  return returningCents > 0 ? blocked.part : blocked.uncertain
}

/** `now` is in epoch milliseconds. */
export const refundState = (charge: PlainCharge, now: number): RefundState => {
  const { refundableCents: restCents, partialRefunds = [] } = charge
  const { paidCents, refundableUntil = 0 } = chargeMoney(charge)
  const failedParts =
    charge._tag === "Paid" && now <= refundableUntil
      ? partialRefunds.flatMap((part, index) => (part.status === "failed" ? [{ index, part }] : []))
      : []
  return {
    restCents,
    isWhole: restCents > 0 && restCents === paidCents,
    failedParts,
    ...(restCents === 0 && { blocked: blockedText(charge, now) }),
  }
}

export const amountField = "valor"
export const partField = "parte"
export const orderKeyField = "pedido"
/** The value of the amount field for the whole refundable amount. */
export const everything = "tudo"

export type RefundOrder =
  | { readonly _tag: "Whole"; readonly amountCents: number }
  | { readonly _tag: "Part"; readonly amountCents: number }
  | { readonly _tag: "Again"; readonly amountCents: number; readonly index: number; readonly key: string }

export type OrderFlaw = "noAmount" | "tooMuch"

const failedPart = ({ failedParts }: RefundState, text: string): RefundOrder | undefined => {
  const found = failedParts.find(({ index }) => String(index) === text)
  return found && { _tag: "Again", amountCents: found.part.amountCents, index: found.index, key: found.part.key }
}

export const readRefundOrder = (
  state: RefundState,
  amount: string | null,
  part: string | null,
): RefundOrder | OrderFlaw => {
  if (part !== null) return failedPart(state, part) ?? "noAmount"
  const { restCents, isWhole } = state
  const amountCents = amount === everything ? restCents : readReais(amount ?? "")
  if (amountCents === undefined || amountCents < 1) return "noAmount"
  if (amountCents > restCents) return "tooMuch"
  return { _tag: isWhole && amountCents === restCents ? "Whole" : "Part", amountCents }
}

/** The hidden fields of the confirmation. The amount is in cents. */
export const orderFields = (order: RefundOrder): Readonly<Record<string, string>> => ({
  kind: order._tag,
  cents: String(order.amountCents),
  ...(order._tag === "Again" && { [partField]: String(order.index) }),
})

/** Reads the fields of `orderFields`; undefined if they are invalid or the part is no longer failed. */
export const confirmedOrder = (form: Form, state: RefundState): RefundOrder | undefined => {
  const amountCents = Number(form["cents"])
  if (!Number.isSafeInteger(amountCents) || amountCents < 1) return undefined
  const { kind } = form
  if (kind === "Again") {
    const order = failedPart(state, form[partField] ?? "")
    return order?.amountCents === amountCents ? order : undefined
  }
  return kind === "Whole" || kind === "Part" ? { _tag: kind, amountCents } : undefined
}
