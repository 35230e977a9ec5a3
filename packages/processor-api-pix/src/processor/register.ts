import {
  ChargeConflict,
  type ChargeOrder,
  ProcessorRejected,
  type ProcessorUnavailable,
  type RegisteredCharge,
} from "@pixcharge/core"
import type { Payer } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../http/PspClient.ts"
import { type PspCharge, readChargeOf } from "../wire/Cob.ts"
import { dueDateBody, immediateBody } from "../wire/CobBody.ts"
import { chargePath } from "../wire/paths.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { brCodeOf } from "./brCodeOf.ts"
import { findCharge } from "./findCharge.ts"

type RegisterError = ProcessorUnavailable | ProcessorRejected | ChargeConflict

const rejected = (reason: string) => new ProcessorRejected({ operation: "register", reason })

const isGeneric = ({ company: { genericPayer } }: ChargeOrder, payer: Payer): boolean =>
  genericPayer !== undefined && genericPayer.taxId === payer.taxId && genericPayer.name === payer.name

/** An immediate charge needs no payer, so that nobody stands in for one there (decision 28). */
const addressee = (order: ChargeOrder): Payer | undefined =>
  order.payer === undefined || (order.dueDate === undefined && isGeneric(order, order.payer)) ? undefined : order.payer

const isSameSum = (order: ChargeOrder, charge: PspCharge): boolean =>
  charge.amountCents === order.amountCents && charge.dueDate === order.dueDate

/**
 * Whether a charge that was there before means what we ask for. Names are not compared, for banks write them in their own
 * way. A due-date charge always has a payer: a bank that shows none just doesn't say.
 */
const isSameMeaning = (order: ChargeOrder, charge: PspCharge): boolean => {
  if (!isSameSum(order, charge)) return false
  if (charge.payerTaxId === undefined && order.dueDate !== undefined) return true
  return charge.payerTaxId === addressee(order)?.taxId
}

const bodyOf = (order: ChargeOrder): Result.Result<unknown, ProcessorRejected> => {
  const payer = addressee(order)
  if (order.dueDate === undefined) return Result.succeed(immediateBody(order, payer))
  return payer === undefined
    ? Result.fail(
        rejected("a due-date charge needs a payer: the request names none, and the company has no generic one"),
      )
    : Result.succeed(dueDateBody(order, order.dueDate, payer))
}

const put = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder) {
  const body = yield* Effect.fromResult(bodyOf(order))
  const made = yield* client.call({
    operation: "register",
    method: "PUT",
    path: chargePath(order.txid, order.dueDate !== undefined),
    body,
    read: readChargeOf(order.txid, client.profile.codeFields),
  })
  return isSameSum(order, made) ? made : yield* rejected("the bank made another charge than it was asked for")
})

/** A charge of either kind under our txid: both kinds share one space of txids. */
const findEither = Effect.fnUntraced(function* (client: PspClient, { txid, dueDate }: ChargeOrder) {
  const isDueDate = dueDate !== undefined
  return (yield* findCharge(client, txid, isDueDate)) ?? (yield* findCharge(client, txid, !isDueDate))
})

/** Whether the bank took over the terms it was sent. One that shows no payer just doesn't say. */
const isBroughtBack = (order: ChargeOrder, charge: PspCharge): boolean =>
  isSameSum(order, charge) && (charge.payerTaxId === undefined || charge.payerTaxId === addressee(order)?.taxId)

/**
 * Brings a stored charge's terms back to the bank: by `PUT` where that alters, else by `PATCH` (`CobRevisada`,
 * `CobVRevisada`). What the bank says then is believed, not that it took the call.
 */
const bringBack = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, known: PspCharge) {
  const isDueDate = order.dueDate !== undefined
  if (isDueDate !== (known.dueDate !== undefined)) return yield* rejected("a charge of the other kind has the txid")
  if (known.status !== "active") return yield* rejected("a charge that was paid or removed on other terms has the txid")
  const answered = yield* client.call({
    operation: "register",
    method: client.profile.putOnExisting === "alters" ? "PUT" : "PATCH",
    path: chargePath(order.txid, isDueDate),
    body: yield* Effect.fromResult(bodyOf(order)),
    read: readChargeOf(order.txid, client.profile.codeFields),
  })
  // Some banks answer with the charge as it was before.
  const after = isBroughtBack(order, answered) ? answered : yield* findCharge(client, order.txid, isDueDate)
  return after !== undefined && isBroughtBack(order, after) ? after : yield* rejected("the bank keeps other terms")
})

/** The charge that is there already is taken over; another one is a conflict, or brought back to what is stored. */
const takeOver = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, known: PspCharge) {
  if (isSameMeaning(order, known)) return known
  if (order.isStored === true) return yield* bringBack(client, order, known)
  return yield* new ChargeConflict({ issuer: order.company.cnpj, id: order.id })
})

/** A put that was refused may have met its own earlier self; only where there is nothing to find the refusal stands. */
const afterRefusal = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, refusal: PspRefusal) {
  const known = yield* Effect.catchTag(findEither(client, order), "PspRefusal", () => Effect.succeed(undefined))
  if (known === undefined) return yield* rejected(refusal.reason)
  return yield* takeOver(client, order, known)
})

/** What is handed out of the bank's charge, if it is alive and has a code that pays it. */
const accept = (order: ChargeOrder, charge: PspCharge): Result.Result<RegisteredCharge, ProcessorRejected> => {
  if (charge.status === "removed") return Result.fail(rejected("the charge was removed at the bank"))
  return Result.mapBoth(brCodeOf(charge, order.company), {
    onSuccess: (brCode) => ({ txid: order.txid, brCode, createdAt: charge.createdAt ?? order.requestedAt }),
    onFailure: (why) => rejected(`the bank's charge can't be handed out: ${why}`),
  })
}

/**
 * Makes a charge known by `PUT` under its txid. One that is there already, from a call that timed out or a process that
 * crashed, is taken over with its code and its instant. One of another meaning is a conflict and is never altered, unless
 * the order is stored: then it is brought back to it.
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
        : yield* takeOver(client, order, known)
    return yield* Effect.fromResult(accept(order, charge))
  },
  Effect.catchTag("PspRefusal", ({ reason }) => Effect.fail(rejected(reason))),
)

/** What tells two orders under one txid apart. */
export const meaningOf = (order: ChargeOrder): string =>
  JSON.stringify([order.amountCents, order.dueDate, addressee(order), order.isStored])
