import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ChargeId } from "../charges/rules/ChargeId.ts"
import type { ChargeNotFound } from "../charges/rules/chargeErrors.ts"
import type { PeriodTooLarge, StoreUnavailable, TooManyReports } from "../ports/portErrors.ts"
import type { Period } from "../runtime/page/Period.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { AuditLog } from "../ports/AuditLog.ts"
import { ChargeCounts } from "../ports/ChargeCounts.ts"
import { ChargeStore } from "../ports/ChargeStore.ts"
import { ExceptionStore } from "../ports/ExceptionStore.ts"
import { Outbox } from "../ports/Outbox.ts"
import { makeCountFigures } from "./countFigures.ts"
import type { Figures } from "./Figures.ts"
import type { Story } from "./StoryEntry.ts"
import { makeTellStory } from "./tellStory.ts"

/** What people look at. It changes and records nothing, and every method fails with `StoreUnavailable` and `TooManyReports`. */
export class PixReports extends Context.Service<
  PixReports,
  {
    /**
     * A charge with all that happened to it, oldest first: at most 20 exceptions, 50 deliveries with 50 attempts each, and 100
     * records of the audit log about it or one of the exceptions. Fails with `ChargeNotFound`.
     */
    readonly story: (
      issuer: Cnpj,
      id: ChargeId,
    ) => Effect.Effect<Story, ChargeNotFound | StoreUnavailable | TooManyReports>
    /** What the company did in a period of at most 31 days. Fails with `PeriodTooLarge`. */
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
        story: makeTellStory({ store, exceptions, outbox, audit }),
        figures: makeCountFigures(yield* ChargeCounts),
      })
    }),
  )
}
