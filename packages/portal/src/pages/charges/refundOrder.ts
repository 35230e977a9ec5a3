import type { Form } from "@pixcharge/web"
import { readReais } from "../../parts/readReais.ts"
import type { RefundState } from "./refundState.ts"

/** The names of the fields in URLs and forms. */
export const amountField = "valor"
export const partField = "parte"
/** The key of a partial refund: a UUID. */
export const orderKeyField = "pedido"
/** The value of the amount field for all that is left. */
export const everything = "tudo"

/** A refund to be confirmed, as its page shows it and its form sends it. */
export type RefundOrder =
  /** The whole payment. */
  | { readonly _tag: "Whole"; readonly amountCents: number }
  | { readonly _tag: "Part"; readonly amountCents: number }
  /** A refused part, by its index in the charge's list. */
  | { readonly _tag: "Again"; readonly amountCents: number; readonly at: number; readonly key: string }

/** Why an amount can't be returned. */
export type OrderFlaw = "noAmount" | "tooMuch"

const failedPart = ({ failedParts }: RefundState, text: string): RefundOrder | undefined => {
  const found = failedParts.find(({ at }) => String(at) === text)
  return found && { _tag: "Again", amountCents: found.part.amountCents, at: found.at, key: found.part.key }
}

/** Reads the order from the fields of a query, within what is left now. */
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

/** The order as hidden fields of the form that confirms it. Amounts are cents, which need no second reading. */
export const orderFields = (order: RefundOrder): Readonly<Record<string, string>> => ({
  kind: order._tag,
  cents: String(order.amountCents),
  ...(order._tag === "Again" && { [partField]: String(order.at) }),
})

/** Reads the order that a form confirms; undefined if `orderFields` didn't write it, or its part isn't refused any more. */
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
