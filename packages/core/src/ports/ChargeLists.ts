import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge, Payment, Return } from "../charge/index.ts"
import type { StoreUnavailable } from "../errors.ts"
import type { Page, PageRequest } from "../page/Page.ts"
import type { Period } from "../page/Period.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/**
 * The lists of what a company has: its charges, payments and returns, archived ones too. Every method fails with
 * `StoreUnavailable` if the store can't answer, or if the cursor comes from no page of the list.
 */
export class ChargeLists extends Context.Service<
  ChargeLists,
  {
    /** The charges created within the period, newest first. */
    readonly charges: (issuer: Cnpj, period: Period, page: PageRequest) => Effect.Effect<Page<Charge>, StoreUnavailable>
    /** The payments made within the period, oldest first and then by endToEndId, matched or not. */
    readonly payments: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Payment>, StoreUnavailable>
    /** One payment, matched or not; undefined if it isn't recorded. */
    readonly payment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<Payment | undefined, StoreUnavailable>
    /** The returns made within the period, oldest first. */
    readonly returns: (issuer: Cnpj, period: Period, page: PageRequest) => Effect.Effect<Page<Return>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ChargeLists") {}
