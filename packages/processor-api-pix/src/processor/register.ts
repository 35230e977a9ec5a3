import {
  ChargeConflict,
  type ChargeOrder,
  ProcessorRejected,
  type ProcessorUnavailable,
  type RegisteredCharge,
} from "@pixcharge/core"
import { immediateLifetimeSeconds } from "@pixcharge/core/charge"
import type { Payer } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { PspClient } from "../http/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import { dueDateBody, immediateBody } from "../wire/CobBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { chargeBrCode } from "./chargeBrCode.ts"
import { callCharge, failRejected, findCharge } from "./chargeCalls.ts"

/** Why a charge was not registered. */
export type RegisterError = ProcessorUnavailable | ProcessorRejected | ChargeConflict

const rejected = (reason: string) => new ProcessorRejected({ operation: "register", reason: Redacted.make(reason) })

const isGeneric = ({ company: { genericPayer } }: ChargeOrder, payer: Payer): boolean =>
  genericPayer !== undefined && genericPayer.taxId === payer.taxId && genericPayer.name === payer.name

/** An immediate charge needs no payer: the generic one is left out (decision 28). */
const addressee = (order: ChargeOrder): Payer | undefined =>
  order.payer === undefined || (order.dueDate === undefined && isGeneric(order, order.payer)) ? undefined : order.payer

const validity = (order: ChargeOrder): number => order.payableForSeconds ?? immediateLifetimeSeconds

const hasSameAmountAndTime = (order: ChargeOrder, charge: PspCharge): boolean =>
  charge.amountCents === order.amountCents &&
  charge.dueDate === order.dueDate &&
  (order.dueDate !== undefined ||
    charge.payableForSeconds === undefined ||
    charge.payableForSeconds === validity(order))

/**
 * Whether the bank's charge has the terms of the order, as far as it shows them: some banks leave the payer out. Names are
 * not compared, because banks change how they are written.
 */
const hasOrderTerms = (order: ChargeOrder, charge: PspCharge): boolean =>
  hasSameAmountAndTime(order, charge) &&
  (charge.payerTaxId === undefined || charge.payerTaxId === addressee(order)?.taxId)

/** Banks write texts without accents, in capitals, without signs. */
const comparableText = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^a-z0-9]/gi, "")
    .toLowerCase()

const isSameTexts = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((text, at) => comparableText(text) === comparableText(b[at] ?? ""))

/**
 * Whether the bank shows the texts of the order. For an order that nobody has stored yet, texts that it doesn't name, as none of
 * the HTTP contract's does, and texts that the bank doesn't show are not compared.
 */
const hasOrderTexts = (order: ChargeOrder, { messageToPayer, additionalInfo }: PspCharge): boolean => {
  const info = order.additionalInfo?.flatMap(({ name, value }) => [name, value]) ?? []
  const shownInfo = additionalInfo.flatMap(({ name, value }) => [name, value])
  const isComparable = (asked: unknown, shown: unknown) =>
    shown !== undefined && (asked !== undefined || order.isStored === true)
  return (
    (!isComparable(order.messageToPayer, messageToPayer) ||
      comparableText(order.messageToPayer ?? "") === comparableText(messageToPayer ?? "")) &&
    (!isComparable(order.additionalInfo, additionalInfo[0]) || isSameTexts(info, shownInfo))
  )
}

/** A due-date charge always has a payer, shown or not; an immediate one that shows none has none. */
const matchesOrder = (order: ChargeOrder, charge: PspCharge): boolean =>
  hasOrderTerms(order, charge) &&
  hasOrderTexts(order, charge) &&
  (charge.payerTaxId !== undefined || order.dueDate !== undefined || addressee(order) === undefined)

const chargeBody = (order: ChargeOrder): Result.Result<unknown, ProcessorRejected> => {
  const payer = addressee(order)
  if (order.dueDate === undefined) return Result.succeed(immediateBody(order, payer))
  return payer === undefined
    ? Result.fail(
        rejected("a due-date charge needs a payer: the request names none, and the company has no generic one"),
      )
    : Result.succeed(dueDateBody(order, order.dueDate, payer))
}

const put = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder) {
  const body = yield* Effect.fromResult(chargeBody(order))
  const call = { operation: "register", method: "PUT", body } as const
  const made = yield* callCharge(client, order.txid, order.dueDate !== undefined, call)
  return hasSameAmountAndTime(order, made)
    ? made
    : yield* rejected("the bank made another charge than it was asked for")
})

/** A charge of either kind under our txid: both kinds share one space of txids. */
const findEither = Effect.fnUntraced(function* (client: PspClient, { txid, dueDate }: ChargeOrder) {
  const isDueDate = dueDate !== undefined
  return (yield* findCharge(client, txid, isDueDate)) ?? (yield* findCharge(client, txid, !isDueDate))
})

/**
 * Changes the bank's charge back to the stored terms: by `PUT` where that alters, else by `PATCH` (`CobRevisada`,
 * `CobVRevisada`). It is done once the bank shows these terms; a 2xx alone proves nothing. The texts go with them, and no charge
 * is given up for those: a bank may write its own.
 */
const restoreTerms = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, known: PspCharge) {
  const isDueDate = order.dueDate !== undefined
  if (isDueDate !== (known.dueDate !== undefined)) return yield* rejected("a charge of the other kind has the txid")
  if (known.status !== "active") return yield* rejected("a charge that was paid or removed on other terms has the txid")
  const body = yield* Effect.fromResult(chargeBody(order))
  const method = client.profile.putOnExisting === "alters" ? "PUT" : "PATCH"
  const answered = yield* callCharge(client, order.txid, isDueDate, { operation: "register", method, body })
  // Some banks answer with the charge as it was before.
  const after = hasOrderTerms(order, answered) ? answered : yield* findCharge(client, order.txid, isDueDate)
  return after !== undefined && hasOrderTerms(order, after) ? after : yield* rejected("the bank keeps other terms")
})

/** Adopts a charge that the bank has already; one of other terms is a conflict, or gets the stored terms back. */
const adopt = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, known: PspCharge) {
  if (matchesOrder(order, known)) return known
  if (order.isStored === true) return yield* restoreTerms(client, order, known)
  return yield* new ChargeConflict({ issuer: order.company.cnpj, id: order.id })
})

/**
 * A bank may refuse a `PUT` because an earlier attempt of it was carried out without an answer: the charge that it shows is
 * adopted. It is a refusal only if the bank shows none.
 */
const afterRefusal = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, refusal: PspRefusal) {
  const known = yield* Effect.catchTag(findEither(client, order), "PspRefusal", () => Effect.succeed(undefined))
  if (known === undefined) return yield* refusal
  return yield* adopt(client, order, known)
})

/** The registration, if the bank's charge is alive and has a code that pays it. */
const registeredCharge = (
  order: ChargeOrder,
  charge: PspCharge,
): Result.Result<RegisteredCharge, ProcessorRejected> => {
  if (charge.status === "removed") return Result.fail(rejected("the charge was removed at the bank"))
  return Result.mapBoth(chargeBrCode(charge, order.company), {
    onSuccess: (brCode) => ({ txid: order.txid, brCode, createdAt: charge.createdAt ?? order.requestedAt }),
    onFailure: (why) => rejected(`the bank's charge can't be handed out: ${why}`),
  })
}

/**
 * Registers a charge by `PUT` under its txid. One that the bank has already, from a call that timed out or a process that
 * crashed, is adopted with its code and its instant. One of other terms is a conflict and stays as it is, unless the order
 * is stored: then the bank's charge is changed to it (decision 42).
 */
export const register = Effect.fnUntraced(
  function* (client: PspClient, order: ChargeOrder): Effect.fn.Return<RegisteredCharge, RegisterError | PspRefusal> {
    const known =
      client.profile.putOnExisting === "alters" || order.isStored === true
        ? yield* findCharge(client, order.txid, order.dueDate !== undefined)
        : undefined
    const charge =
      known === undefined
        ? yield* Effect.catchTag(put(client, order), "PspRefusal", (refusal) => afterRefusal(client, order, refusal))
        : yield* adopt(client, order, known)
    return yield* Effect.fromResult(registeredCharge(order, charge))
  },
  Effect.catchTag("PspRefusal", failRejected("register")),
)

/** Two orders of one txid are the same if these texts are. */
export const orderMeaning = (order: ChargeOrder): string =>
  JSON.stringify([
    order.amountCents,
    order.dueDate,
    addressee(order),
    order.isStored,
    validity(order),
    order.messageToPayer,
    order.additionalInfo,
  ])
