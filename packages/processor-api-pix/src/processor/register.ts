import {
  ChargeConflict,
  type ChargeOrder,
  type ProcessorRejected,
  ProcessorUnavailable,
  type RegisteredCharge,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import { codeReader, type PspCharge } from "../wire/Cob.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { dueDateBody, immediateBody } from "../wire/bodies.ts"
import { codePath } from "../wire/paths.ts"
import { chargeBrCode } from "./bankCode.ts"
import { changeCharge, findCharge } from "./chargeCalls.ts"
import { type ChargeBody, findPayer, hasSameAmountAndTime, matchesOrder, type WrittenOrder } from "./orderTerms.ts"
import { failRejected, failUnavailable, makeRejected } from "./refusals.ts"

export type RegisterError = ProcessorUnavailable | ProcessorRejected | ChargeConflict

const reject = (reason: string) => makeRejected("register", reason)

export const chargeBody = (operation: string, order: ChargeOrder): ChargeBody => {
  const payer = findPayer(order)
  if (order.dueDate === undefined) return Result.succeed(immediateBody(order, payer))
  return payer === undefined
    ? Result.fail(
        makeRejected(
          operation,
          "a due-date charge needs a payer: the request names none, and the company has no generic one",
        ),
      )
    : Result.succeed(dueDateBody(order, order.dueDate, payer))
}

const earlierBodies = (order: ChargeOrder): ReadonlyArray<ChargeBody> =>
  (order.earlierFees ?? []).map((fees) => chargeBody("register", { ...order, company: { ...order.company, fees } }))

/** Looks up the due date if the answer to a new charge omits it, as some banks do. */
const withDueDate = Effect.fnUntraced(function* (client: PspClient, { txid, dueDate }: ChargeOrder, made: PspCharge) {
  if (dueDate === undefined || made.dueDate !== undefined) return made
  const known = yield* Effect.catchTag(findCharge(client, txid, true), "PspRefusal", failUnavailable("register"))
  return known?.dueDate === undefined ? made : { ...made, dueDate: known.dueDate }
})

const put = Effect.fnUntraced(function* (client: PspClient, order: WrittenOrder) {
  const body = yield* Effect.fromResult(order.body)
  const call = { operation: "register", method: "PUT", body } as const
  const answered = yield* changeCharge(client, order.txid, order.dueDate !== undefined, call)
  const made = yield* withDueDate(client, order, answered)
  return hasSameAmountAndTime(order, made) ? made : yield* reject("the bank made a charge with other terms")
})

interface FoundCharge {
  readonly charge: PspCharge
  readonly isNew: boolean
}

const checkAdopted = (charge: PspCharge): FoundCharge => ({ charge, isNew: false })

const putNew = (client: PspClient, order: WrittenOrder) =>
  Effect.map(put(client, order), (charge): FoundCharge => ({ charge, isNew: true }))

const findEither = Effect.fnUntraced(function* (client: PspClient, order: ChargeOrder) {
  const isDueDate = order.dueDate !== undefined
  const found = yield* findCharge(client, order.txid, isDueDate)
  if (found !== undefined || client.profile.dueDateCharges === "missing") return found
  return yield* findCharge(client, order.txid, !isDueDate)
})

const adopt = Effect.fnUntraced(function* (order: WrittenOrder, known: PspCharge) {
  if (matchesOrder(order, known)) return known
  return yield* new ChargeConflict({ issuer: order.company.cnpj, id: order.id })
})

/**
 * Adopts the charge after a refused `PUT`, because an earlier unanswered attempt can have made it. If the bank doesn't
 * show the charge, an unanswered attempt or another call (409) can still make it.
 */
const resolveRefusal = Effect.fnUntraced(function* (client: PspClient, order: WrittenOrder, refusal: PspRefusal) {
  const known = yield* Effect.catchTag(findEither(client, order), "PspRefusal", () => Effect.succeed(undefined))
  if (known !== undefined) return yield* adopt(order, known)
  const mayBeMade = refusal.hasUnansweredAttempt === true || refusal.status === 409
  return yield* mayBeMade ? new ProcessorUnavailable({ operation: "register", cause: refusal }) : refusal
})

/** With the code of a separate call, at a bank that shows it there. */
export const addCode = (client: PspClient, operation: string, { txid, dueDate }: ChargeOrder, charge: PspCharge) => {
  const { codeFrom, codeFields } = client.profile
  if (codeFrom === "charge" || charge.brCode !== undefined) return Effect.succeed(charge)
  const path = codePath(txid, dueDate !== undefined)
  const call = client.call({ operation, method: "GET", path, read: codeReader(codeFields) })
  return Effect.map(call, (brCode) => ({ ...charge, brCode }))
}

/** The bank's time can be wrong by minutes, or by hours if it has no zone. */
const findCreatedAt = ({ clock }: PspClient, order: ChargeOrder, charge: PspCharge, isNew: boolean) => {
  if (charge.createdAt === undefined) return Effect.succeed(order.requestedAt)
  return isNew ? clock.learnCreation(charge.createdAt, order.requestedAt) : clock.readCreation(charge.createdAt)
}

const toRegistered = Effect.fnUntraced(function* (
  client: PspClient,
  order: ChargeOrder,
  { charge: found, isNew }: FoundCharge,
) {
  if (found.status === "removed") return yield* reject("the charge was removed at the bank")
  const charge = yield* addCode(client, "register", order, found)
  const { pixKey } = charge
  const code = chargeBrCode(charge, order.company, client.profile)
  if (Result.isFailure(code)) return yield* reject(`the bank's charge can't be handed out: ${code.failure}`)
  const createdAt = yield* findCreatedAt(client, order, charge, isNew)
  return { txid: order.txid, brCode: code.success, createdAt, ...(pixKey !== undefined && { pixKey }) }
})

/**
 * Registers a charge by `PUT` under its txid.
 *
 * If an earlier unanswered call made the charge, adopts it. If the bank's charge has other terms, it is a conflict, and
 * the charge stays unchanged.
 */
export const register = Effect.fnUntraced(
  function* (client: PspClient, given: ChargeOrder): Effect.fn.Return<RegisteredCharge, RegisterError | PspRefusal> {
    const order: WrittenOrder = { body: chargeBody("register", given), earlierBodies: earlierBodies(given), ...given }
    if (order.dueDate !== undefined && client.profile.dueDateCharges === "missing") {
      return yield* reject("this bank has no due-date charges: issue an immediate one")
    }
    const known =
      client.profile.putOnExisting === "alters"
        ? yield* findCharge(client, order.txid, order.dueDate !== undefined)
        : undefined
    const found =
      known === undefined
        ? yield* Effect.catchTag(putNew(client, order), "PspRefusal", (refusal) =>
            Effect.map(resolveRefusal(client, order, refusal), checkAdopted),
          )
        : checkAdopted(yield* adopt(order, known))
    return yield* toRegistered(client, order, found)
  },
  Effect.catchTag("PspRefusal", failRejected("register")),
)
