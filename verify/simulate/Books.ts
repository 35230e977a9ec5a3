import {
  ChargeLists,
  ChargeStore,
  ExceptionStore,
  Outbox,
  type Page,
  type PageRequest,
  type StorePorts,
} from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { InvalidFilter, StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { Books } from "./judge/Evidence.ts"

const ever = { from: 0, until: 8.64e15 }

export const all = Effect.fnUntraced(
  function* <A>(
    read: (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports>,
  ) {
    const found: Array<A> = []
    let cursor: string | undefined
    do {
      const page: Page<A> = yield* read({ limit: 100, ...(cursor !== undefined && { cursor }) })
      found.push(...page.items)
      cursor = page.cursor
    } while (cursor !== undefined)
    return found
  },
  Effect.catchTag("InvalidFilter", Effect.die),
)

export const makeBooks = (store: Context.Context<StorePorts>): Books => {
  const { find } = Context.get(store, ChargeStore)
  const lists = Context.get(store, ChargeLists)
  const { list, attempts } = Context.get(store, Outbox)
  return {
    charge: find,
    charges: (issuer, text) =>
      all((page) => lists.charges(issuer, { ...ever, ...(text !== undefined && { text }) }, page)),
    payments: (issuer) => all((page) => lists.payments(issuer, ever, page)),
    returns: (issuer) => all((page) => lists.returns(issuer, ever, page)),
    exception: Context.get(store, ExceptionStore).find,
    deliveries: (issuer, chargeId) => all((page) => list(issuer, chargeId === undefined ? {} : { chargeId }, page)),
    attempts,
  }
}
