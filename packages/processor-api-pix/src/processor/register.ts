import {
  ChargeConflict,
  type ChargeOrder,
  ProcessorRejected,
  type ProcessorUnavailable,
  type RegisteredCharge,
} from "@pixcharge/core"
import type { Payer } from "@pixcharge/core/charge"
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

/** The charge that is there already is taken over, or is another one. */
const takeOver = (order: ChargeOrder, known: PspCharge): Result.Result<PspCharge, ChargeConflict> =>
  isSameMeaning(order, known)
    ? Result.succeed(known)
    : Result.fail(new ChargeConflict({ issuer: order.company.cnpj, id: order.id }))

/** A put that was refused may have met its own earlier self; only where there is nothing to find the refusal stands. */
const afterRefusal = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder, refusal: PspRefusal) {
  const known = yield* Effect.catchTag(findEither(client, order), "PspRefusal", () => Effect.succeed(undefined))
  if (known === undefined) return yield* rejected(refusal.reason)
  return yield* Effect.fromResult(takeOver(order, known))
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
 * crashed, is taken over with its code and its instant; one of another meaning is a conflict and is never altered.
 */
export const register = Effect.fnUntraced(
  function* (client: PspClient, order: ChargeOrder): Effect.fn.Return<RegisteredCharge, RegisterError | PspRefusal> {
    const known =
      client.profile.putOnExisting === "alters"
        ? yield* findCharge(client, order.txid, order.dueDate !== undefined)
        : undefined
    const charge =
      known === undefined
        ? yield* Effect.catchTag(put(client, order), "PspRefusal", (refusal) => afterRefusal(client, order, refusal))
        : yield* Effect.fromResult(takeOver(order, known))
    return yield* Effect.fromResult(accept(order, charge))
  },
  Effect.catchTag("PspRefusal", ({ reason }) => Effect.fail(rejected(reason))),
)

/** What tells two orders under one txid apart. */
export const meaningOf = (order: ChargeOrder): string =>
  JSON.stringify([order.amountCents, order.dueDate, addressee(order)])
