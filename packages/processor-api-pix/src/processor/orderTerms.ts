import type { ChargeOrder, ProcessorRejected } from "@pixcharge/core"
import { immediateLifetimeSeconds } from "@pixcharge/core/charges"
import type { Payer } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import { hasSameConditions, mayHaveTaxId, type PspCharge, readConditions, type ShownPayer } from "../wire/Cob.ts"
import type { dueDateBody, immediateBody } from "../wire/bodies.ts"

const isGeneric = ({ company: { genericPayer } }: ChargeOrder, payer: Payer): boolean =>
  genericPayer !== undefined && genericPayer.taxId === payer.taxId && genericPayer.name === payer.name

/** An immediate charge needs no payer: the generic one is left out (decision 28). */
export const findPayer = (order: ChargeOrder): Payer | undefined =>
  order.payer === undefined || (order.dueDate === undefined && isGeneric(order, order.payer)) ? undefined : order.payer

/** A payer whose document is not shown may be any, but not none. */
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
 * Whether the bank's charge has the terms of the order, as far as it shows them: some banks leave the payer out. Names are
 * not compared, because banks change how they are written.
 */
export const hasOrderTerms = (order: ChargeOrder, charge: PspCharge): boolean =>
  hasSameAmountAndTime(order, charge) && (charge.payer === undefined || isAddressedTo(charge.payer, findPayer(order)))

/** Banks write texts without accents, in capitals, without signs. */
const simplifyText = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^a-z0-9]/gi, "")
    .toLowerCase()

const isSameTexts = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((text, at) => simplifyText(text) === simplifyText(b[at] ?? ""))

/**
 * Whether the bank shows the texts of the order. For an order that nobody has stored yet, texts that it doesn't name, as none of
 * the HTTP contract's does, and texts that the bank doesn't show are not compared.
 */
const hasOrderTexts = (order: ChargeOrder, { messageToPayer, additionalInfo }: PspCharge): boolean => {
  const info = order.additionalInfo?.flatMap(({ name, value }) => [name, value]) ?? []
  const shownInfo = additionalInfo.flatMap(({ name, value }) => [name, value])
  const isComparable = (ordered: unknown, shown: unknown) =>
    shown !== undefined && (ordered !== undefined || order.isStored === true)
  return (
    (!isComparable(order.messageToPayer, messageToPayer) ||
      simplifyText(order.messageToPayer ?? "") === simplifyText(messageToPayer ?? "")) &&
    (!isComparable(order.additionalInfo, additionalInfo[0]) || isSameTexts(info, shownInfo))
  )
}

/** The body of a charge, or why it can't be made. */
export type ChargeBody = Result.Result<
  ReturnType<typeof immediateBody> | ReturnType<typeof dueDateBody>,
  ProcessorRejected
>

/** An order with the body that makes its charge. */
export interface WrittenOrder extends ChargeOrder {
  readonly body: ChargeBody
}

/** No stored charge is given up for a fee: its bank may have its own way to write it. */
const hasOrderConditions = ({ isStored, body }: WrittenOrder, { conditions }: PspCharge): boolean =>
  isStored === true || Result.isFailure(body) || hasSameConditions(readConditions(body.success), conditions)

/** A due-date charge always has a payer, shown or not; an immediate one that shows none has none. */
export const matchesOrder = (order: WrittenOrder, charge: PspCharge): boolean =>
  hasOrderTerms(order, charge) &&
  hasOrderConditions(order, charge) &&
  hasOrderTexts(order, charge) &&
  (charge.payer !== undefined || order.dueDate !== undefined || findPayer(order) === undefined)

/** Two orders of one txid are the same if these texts are. */
export const orderMeaning = (order: ChargeOrder): string =>
  JSON.stringify([
    order.amountCents,
    order.dueDate,
    findPayer(order),
    order.isStored,
    findLifetimeSeconds(order),
    order.messageToPayer,
    order.additionalInfo,
  ])
