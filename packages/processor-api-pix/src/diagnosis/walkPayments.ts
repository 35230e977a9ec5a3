import type { Txid } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import type { PspWays } from "../profiles/PspProfile.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { readFields } from "../wire/Reader.ts"
import { paymentsQuery } from "../wire/lists.ts"
import { chargePath, paymentsPath, returnPath } from "../wire/paths.ts"
import { ask, type ProfilePatch, type Walked, walkedPollMs } from "./Walk.ts"

const dayMs = 86_400_000
const longDays = 40
const shorterDays = [30, 10, 7, 5, 4, 3, 1]

const list = Effect.fnUntraced(function* ({ client }: Walked, fromDays: number, toDays: number, page?: number) {
  const now = yield* client.clock.now
  const { pageSize, firstPage } = client.profile
  const period = { from: now - fromDays * dayMs, to: now - toDays * dayMs }
  const query = paymentsQuery({ ...period, page: page ?? firstPage, pageSize })
  return yield* ask(client, { method: "GET", path: paymentsPath, query })
})

/** A 404 is no refusal: it means an empty list. */
const isRefused = (listed: Result.Result<unknown, PspRefusal>): boolean =>
  Result.isFailure(listed) && listed.failure.status !== 404

const patchEmpty = ({ emptyList }: PspWays, old: Result.Result<object, PspRefusal>): ProfilePatch => {
  if (Result.isFailure(old)) return old.failure.status === 404 && emptyList === "page" ? { emptyList: "missing" } : {}
  const { pix } = readFields(old.success)
  return Array.isArray(pix) && pix.length === 0 && emptyList === "missing" ? { emptyList: "page" } : {}
}

const patchPageSize = ({ pageSize }: PspWays, page: Result.Result<object, PspRefusal>): ProfilePatch => {
  const { parametros } = readFields(Result.getOrElse(page, () => ({})))
  const shown = Number(readFields(readFields(parametros)["paginacao"])["itensPorPagina"])
  return shown >= 1 && shown < pageSize ? { pageSize: shown } : {}
}

const patchPeriod = Effect.fnUntraced(function* (walked: Walked) {
  const { listPeriod } = walked.client.profile
  // A walk can't find where the bank's month begins.
  if (listPeriod === "month") return {}
  if (!isRefused(yield* list(walked, longDays, 0))) {
    return listPeriod === "any" ? {} : ({ listPeriod: "any" } satisfies ProfilePatch)
  }
  for (const days of shorterDays) {
    const isWithin = listPeriod !== "any" && days > listPeriod.days
    if (isWithin || isRefused(yield* list(walked, days, 0))) continue
    return listPeriod !== "any" && days === listPeriod.days ? {} : ({ listPeriod: { days } } satisfies ProfilePatch)
  }
  return {}
})

export const walkList = Effect.fnUntraced(function* (walked: Walked) {
  const { profile } = walked.client
  const day = yield* list(walked, 1, 0)
  if (profile.firstPage === 0 && isRefused(day) && !isRefused(yield* list(walked, 1, 0, 1))) {
    return { firstPage: 1 } satisfies ProfilePatch
  }
  const old = yield* list(walked, longDays, longDays - 1)
  return { ...patchPageSize(profile, day), ...patchEmpty(profile, old), ...(yield* patchPeriod(walked)) }
})

const findPayment = Effect.fnUntraced(function* ({ client }: Walked, txid: Txid, waitMs: number) {
  for (let remainingMs = waitMs; ; remainingMs -= walkedPollMs) {
    const charge = yield* ask(client, { method: "GET", path: chargePath(txid, false) })
    const { pix } = Result.getOrElse(charge, () => ({}) as Readonly<Record<string, unknown>>)
    const [payment] = Array.isArray(pix) ? pix : [pix]
    if (Predicate.isObject(payment)) return String(readFields(payment)["endToEndId"])
    if (remainingMs <= 0) return undefined
    yield* Effect.sleep(walkedPollMs)
  }
})

/**
 * Returns one centavo of the charge's payment with a reason, or without one if the bank refuses the reason. The result
 * is undefined if the charge is unpaid.
 */
export const walkReturn = Effect.fnUntraced(function* (walked: Walked, txid: Txid, waitMs: number) {
  const { client } = walked
  const endToEndId = yield* findPayment(walked, txid, waitMs)
  if (endToEndId === undefined) return undefined
  const put = (body: object) => {
    const path = returnPath(endToEndId, randomUUID().replaceAll("-", ""))
    return ask(client, { method: "PUT", path, body: { valor: "0.01", ...body } })
  }
  const { returnReason } = client.profile
  const isTaken = Result.isSuccess(yield* put({ descricao: "Teste" }))
  const seen = isTaken ? "sent" : Result.isSuccess(yield* put({})) ? "leftOut" : returnReason
  return seen === returnReason ? {} : ({ returnReason: seen } satisfies ProfilePatch)
})
