import { ChargeLists, type CountRequest, ExceptionStore, Outbox, type SlotCount } from "@pixcharge/core"
import { chargeStatus } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { allPages } from "../commits.ts"

const always = { from: 0, until: 9_000_000_000_000 }

const readLists = Effect.fnUntraced(function* (issuer: Cnpj) {
  const lists = yield* ChargeLists
  const exceptions = yield* ExceptionStore
  const outbox = yield* Outbox
  return {
    charges: (yield* allPages((page) => lists.charges(issuer, always, page), 7)).flat(),
    payments: (yield* allPages((page) => lists.payments(issuer, always, page), 7)).flat(),
    returns: (yield* allPages((page) => lists.returns(issuer, always, page), 7)).flat(),
    open: (yield* allPages((page) => exceptions.listOpen(issuer, page), 7)).flat(),
    deliveries: (yield* allPages((page) => outbox.list(issuer, {}, page), 7)).flat(),
  }
})
type Lists = Effect.Success<ReturnType<typeof readLists>>

const countSlot = (
  lists: Lists,
  isIn: (moment: number) => boolean,
  now: number,
  put: (counted: SlotCount["counted"], sums: ReadonlyArray<number>) => void,
): void => {
  const issued = lists.charges.filter(({ createdAt }) => isIn(createdAt))
  const withStatus = (...statuses: ReadonlyArray<string>) =>
    issued.filter((charge) => statuses.includes(chargeStatus(charge, now))).map(() => 0)
  put(
    "issued",
    issued.map(() => 0),
  )
  put("paid", withStatus("paid", "refunding", "refunded"))
  put("expired", withStatus("expired"))
  put("failed", withStatus("failed"))
  put("cancelled", withStatus("cancelled"))
  put(
    "payment",
    lists.payments.filter(({ paidAt }) => isIn(paidAt)).map(({ amountCents }) => amountCents),
  )
  put(
    "return",
    lists.returns.filter(({ returnedAt }) => isIn(returnedAt)).map(({ amountCents }) => amountCents),
  )
  put(
    "openException",
    lists.open.filter(({ payment }) => isIn(payment.paidAt)).map(() => 0),
  )
  for (const status of ["waiting", "delivered", "dead", "superseded"] as const) {
    const matches = lists.deliveries.filter((one) => one.status === status && isIn(one.event.occurredAt))
    put(
      status,
      matches.map(({ attempts }) => (status === "delivered" ? attempts - 1 : attempts)),
    )
  }
}

/** Counts the entries of a company's lists one by one. */
export const naiveCounts = Effect.fnUntraced(function* (issuer: Cnpj, { bounds, ages, now }: CountRequest) {
  const lists = yield* readLists(issuer)
  const rows: Array<SlotCount> = []
  const put = (counted: SlotCount["counted"], slot: number, sums: ReadonlyArray<number>): void => {
    if (sums.length > 0) rows.push({ counted, slot, count: sums.length, sum: sums.reduce((all, one) => all + one, 0) })
  }
  for (const [slot, begins] of bounds.slice(0, -1).entries()) {
    const isIn = (moment: number) => begins <= moment && moment < (bounds[slot + 1] ?? 0)
    countSlot(lists, isIn, now, (counted, sums) => put(counted, slot, sums))
  }
  const [from = 0, until = 0] = [bounds.at(0), bounds.at(-1)]
  const paidAges = lists.charges.flatMap((charge) =>
    "payment" in charge && from <= charge.createdAt && charge.createdAt < until
      ? [charge.payment.paidAt - charge.createdAt]
      : [],
  )
  for (let reached = 0; reached <= ages.length; reached++) {
    put(
      "age",
      reached,
      paidAges.filter((age) => ages.filter((bound) => bound <= age).length === reached).map(() => 0),
    )
  }
  return rows
})
