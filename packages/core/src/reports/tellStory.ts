import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargeId } from "../charges/rules/ChargeId.ts"
import { ChargeNotFound } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { AuditLog, AuditRecord } from "../ports/AuditLog.ts"
import type { ChargeStore } from "../ports/ChargeStore.ts"
import type { ExceptionStore } from "../ports/ExceptionStore.ts"
import type { Outbox } from "../ports/Outbox.ts"
import { storyEntries } from "./storyEntries.ts"
import type { Story } from "./StoryEntry.ts"

/** A charge seldom has more than a handful of any of these. */
const mostExceptions = 20
const mostDeliveries = 50
const mostAttempts = 50
const mostRecords = 100

/** What a story is told from. */
interface StoryPorts {
  readonly store: ChargeStore["Service"]
  readonly exceptions: ExceptionStore["Service"]
  readonly outbox: Outbox["Service"]
  readonly audit: AuditLog["Service"]
}

/** Reads all that is known of a charge, so much of it at most, and tells it in order. */
export const makeTellStory = ({ store, exceptions, outbox, audit }: StoryPorts) => {
  const readDeliveries = Effect.fnUntraced(function* (issuer: Cnpj, chargeId: ChargeId) {
    const { items, cursor } = yield* outbox.list(issuer, { chargeId }, { limit: mostDeliveries })
    let isCut = cursor !== undefined
    const deliveries = []
    for (const delivery of items) {
      const all = yield* outbox.attempts(issuer, delivery.event.id, delivery.endpointId)
      isCut ||= all.length > mostAttempts
      deliveries.push({ delivery, attempts: all.slice(-mostAttempts) })
    }
    return { deliveries, isCut }
  })

  /** The records about the charge and about its exceptions, each once. */
  const readRecords = Effect.fnUntraced(function* (
    issuer: Cnpj,
    chargeId: ChargeId,
    endToEndIds: ReadonlyArray<string>,
  ) {
    const filters = [{ chargeId }, ...endToEndIds.map((endToEndId) => ({ endToEndId }))]
    const records = new Map<string, AuditRecord>()
    let isCut = false
    for (const filter of filters) {
      const { items, cursor } = yield* audit.list(issuer, filter, { limit: mostRecords })
      isCut ||= cursor !== undefined
      for (const record of items) records.set(record.id, record)
    }
    return { records: [...records.values()].toReversed(), isCut }
  })

  return Effect.fnUntraced(
    function* (issuer: Cnpj, id: ChargeId) {
      const charge = yield* store.find(issuer, id)
      if (charge === undefined) return yield* new ChargeNotFound({ issuer, id })
      const found = yield* exceptions.ofCharge(charge, mostExceptions + 1)
      const its = found.slice(0, mostExceptions)
      const sent = yield* readDeliveries(issuer, id)
      const recorded = yield* readRecords(
        issuer,
        id,
        its.map(({ payment }) => payment.endToEndId),
      )
      const parts = { charge, exceptions: its, deliveries: sent.deliveries, records: recorded.records }
      const story: Story = {
        charge,
        entries: storyEntries(parts, yield* Clock.currentTimeMillis),
        isCut: found.length > mostExceptions || sent.isCut || recorded.isCut,
      }
      return story
    },
    Effect.catchTag("InvalidFilter", Effect.die),
  )
}
