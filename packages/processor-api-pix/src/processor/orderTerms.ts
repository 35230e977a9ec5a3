import type { ChargeOrder, ProcessorRejected } from "@pixcharge/core"
import { type ChargePayer, immediateLifetimeSeconds } from "@pixcharge/core/charges"
import type { Payer } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import { hasSameConditions, mayHaveTaxId, type PspCharge, readConditions, type ShownPayer } from "../wire/Cob.ts"
import type { dueDateBody, immediateBody } from "../wire/bodies.ts"

const isGeneric = ({ company: { genericPayer } }: ChargeOrder, payer: Payer): boolean =>
  genericPayer !== undefined && genericPayer.taxId === payer.taxId && genericPayer.name === payer.name

/** The order's payer; undefined if an immediate charge has only the generic payer (decision 28). */
export const findPayer = (order: ChargeOrder): ChargePayer | undefined =>
  order.payer === undefined || (order.dueDate === undefined && isGeneric(order, order.payer)) ? undefined : order.payer

const isAddressedTo = (shown: ShownPayer, payer: Payer | undefined): boolean =>
  payer !== undefined && mayHaveTaxId(shown, payer.taxId)

const findLifetimeSeconds = (order: ChargeOrder): number => order.payableForSeconds ?? immediateLifetimeSeconds

export const hasSameAmountAndTime = (order: ChargeOrder, charge: PspCharge): boolean =>
  charge.amountCents === order.amountCents &&
  charge.dueDate === order.dueDate &&
  (order.dueDate !== undefined ||
    charge.payableForSeconds === undefined ||
    charge.payableForSeconds === findLifetimeSeconds(order))

/**
 * Compares only the terms that the bank shows, because some banks omit the payer. Banks rewrite names, so names don't
 * count.
 */
const hasOrderTerms = (order: ChargeOrder, charge: PspCharge): boolean =>
  hasSameAmountAndTime(order, charge) && (charge.payer === undefined || isAddressedTo(charge.payer, findPayer(order)))

/** Banks write texts in capitals and without accents or punctuation. */
const simplifyText = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^a-z0-9]/gi, "")
    .toLowerCase()

const isSameTexts = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((text, index) => simplifyText(text) === simplifyText(b[index] ?? ""))

/** `ordered`: compares only the texts that the order has, because the HTTP contract has no texts. */
const hasOrderTexts = (
  order: ChargeOrder,
  { messageToPayer, additionalInfo }: PspCharge,
  compared: "ordered" | "all",
): boolean => {
  const info = order.additionalInfo?.flatMap(({ name, value }) => [name, value]) ?? []
  const shownInfo = additionalInfo.flatMap(({ name, value }) => [name, value])
  const isComparable = (ordered: unknown, shown: unknown) =>
    shown !== undefined && (ordered !== undefined || compared === "all")
  return (
    (!isComparable(order.messageToPayer, messageToPayer) ||
      simplifyText(order.messageToPayer ?? "") === simplifyText(messageToPayer ?? "")) &&
    (!isComparable(order.additionalInfo, additionalInfo[0]) || isSameTexts(info, shownInfo))
  )
}

export type ChargeBody = Result.Result<
  ReturnType<typeof immediateBody> | ReturnType<typeof dueDateBody>,
  ProcessorRejected
>

export interface WrittenOrder extends ChargeOrder {
  readonly body: ChargeBody
  readonly earlierBodies: ReadonlyArray<ChargeBody>
}

const hasOrderConditions = (order: WrittenOrder, { conditions }: PspCharge): boolean =>
  [order.body, ...order.earlierBodies].some(
    (body) => Result.isFailure(body) || hasSameConditions(readConditions(body.success), conditions),
  )

/** True if the bank's charge belongs to the order. A due-date charge always has a payer, shown or not. */
export const matchesOrder = (order: WrittenOrder, charge: PspCharge): boolean =>
  hasOrderTerms(order, charge) &&
  hasOrderConditions(order, charge) &&
  hasOrderTexts(order, charge, "ordered") &&
  (charge.payer !== undefined || order.dueDate !== undefined || findPayer(order) === undefined)

/** True if the bank shows the order's terms, as far as it shows terms. */
export const showsOrder = (order: WrittenOrder, charge: PspCharge): boolean =>
  hasOrderTerms(order, charge) && hasOrderConditions(order, charge) && hasOrderTexts(order, charge, "all")

export const orderMeaning = (order: ChargeOrder): string =>
  JSON.stringify([
    order.amountCents,
    order.dueDate,
    findPayer(order),
    findLifetimeSeconds(order),
    order.messageToPayer,
    order.additionalInfo,
    order.dueDate && [order.company.fees, order.company.graceDays],
  ])
