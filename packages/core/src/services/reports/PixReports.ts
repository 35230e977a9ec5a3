import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import { ChargeNotFound } from "../../model/charge/chargeErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { AuditLog, type AuditRecord } from "../../ports/AuditLog.ts"
import { ChargeCounts, ChargeLists } from "../../ports/ChargeLists.ts"
import { ChargeStore } from "../../ports/ChargeStore.ts"
import { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { Outbox } from "../../ports/Outbox.ts"
import type { PeriodTooLarge, StoreUnavailable, TooManyReports } from "../../ports/portErrors.ts"
import type { Period } from "../../runtime/page.ts"
import type { Figures } from "./Figures.ts"
import { type FoundPayment, makeFindPayment } from "./findPayment.ts"
import { type Story, storyEntries } from "./StoryEntry.ts"
import { makeCountFigures } from "./foldFigures.ts"

const maxExceptions = 20
const maxDeliveries = 50
const maxAttempts = 50
const maxRecords = 100

interface StoryPorts {
  readonly store: ChargeStore["Service"]
  readonly exceptions: ExceptionStore["Service"]
  readonly outbox: Outbox["Service"]
  readonly audit: AuditLog["Service"]
}

export const makeReadStory = ({ store, exceptions, outbox, audit }: StoryPorts) => {
  const readDeliveries = Effect.fnUntraced(function* (issuer: Cnpj, chargeId: ChargeId) {
    const { items, cursor } = yield* outbox.list(issuer, { chargeId }, { limit: maxDeliveries })
    let isCut = cursor !== undefined
    const deliveries = []
    for (const delivery of items) {
      const all = yield* outbox.attempts(issuer, delivery.event.id, delivery.endpointId)
      isCut ||= all.length > maxAttempts
      deliveries.push({ delivery, attempts: all.slice(-maxAttempts) })
    }
    return { deliveries, isCut }
  })

  const readRecords = Effect.fnUntraced(function* (
    issuer: Cnpj,
    chargeId: ChargeId,
    endToEndIds: ReadonlyArray<string>,
  ) {
    const filters = [{ chargeId }, ...endToEndIds.map((endToEndId) => ({ endToEndId }))]
    const records = new Map<string, AuditRecord>()
    let isCut = false
    for (const filter of filters) {
      const { items, cursor } = yield* audit.list(issuer, filter, { limit: maxRecords })
      isCut ||= cursor !== undefined
      for (const record of items) records.set(record.id, record)
    }
    return { records: [...records.values()].toReversed(), isCut }
  })

  return Effect.fnUntraced(
    function* (issuer: Cnpj, id: ChargeId) {
      const charge = yield* store.find(issuer, id)
      if (charge === undefined) return yield* new ChargeNotFound({ issuer, id })
      const found = yield* exceptions.ofCharge(charge, maxExceptions + 1)
      const shown = found.slice(0, maxExceptions)
      const sent = yield* readDeliveries(issuer, id)
      const recorded = yield* readRecords(
        issuer,
        id,
        shown.map(({ payment }) => payment.endToEndId),
      )
      const parts = { charge, exceptions: shown, deliveries: sent.deliveries, records: recorded.records }
      const story: Story = {
        charge,
        entries: storyEntries(parts, yield* Clock.currentTimeMillis),
        isCut: found.length > maxExceptions || sent.isCut || recorded.isCut,
      }
      return story
    },
    Effect.catchTag("InvalidFilter", Effect.die),
  )
}

/** Reports of a company; read-only. Every method fails with `StoreUnavailable` and `TooManyReports`. */
export class PixReports extends Context.Service<
  PixReports,
  {
    /**
     * A charge's story, oldest first: at most 20 exceptions, 50 deliveries with 50 attempts each, and 100 records of the audit
     * log. Fails with `ChargeNotFound`.
     */
    readonly story: (
      issuer: Cnpj,
      id: ChargeId,
    ) => Effect.Effect<Story, ChargeNotFound | StoreUnavailable | TooManyReports>
    /**
     * The payment with this endToEndId, in any case. Undefined if the company's books don't have it. Never fails with
     * `TooManyReports`.
     */
    readonly payment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<FoundPayment | undefined, StoreUnavailable>
    /** The company's figures in a period of at most 31 days. Fails with `PeriodTooLarge`. */
    readonly figures: (
      issuer: Cnpj,
      period: Period,
    ) => Effect.Effect<Figures, PeriodTooLarge | StoreUnavailable | TooManyReports>
  }
>()("@pixcharge/core/reports/PixReports") {
  static readonly layer = Layer.effect(
    PixReports,
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const exceptions = yield* ExceptionStore
      const outbox = yield* Outbox
      const audit = yield* AuditLog
      return PixReports.of({
        story: makeReadStory({ store, exceptions, outbox, audit }),
        payment: makeFindPayment({ lists: yield* ChargeLists, store, exceptions }),
        figures: makeCountFigures(yield* ChargeCounts),
      })
    }),
  )
}
