import type { RecurrenceOrder } from "@pixcharge/core/recurring"
import type { RequestedRecurrence } from "@pixcharge/core/recurrence"
import type { ApiPixConnection } from "@pixcharge/processor-api-pix"
import type { BankFault, BankOptions, SimulatedBank } from "@pixcharge/simulated-bank"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { company, openBank } from "../bank/openBank.ts"
import { approved, aRecurrence, receivingAccount } from "./aRecurrence.ts"

/** The ways a call can stay unanswered. */
export const losses: Readonly<Record<string, BankFault>> = {
  "the answer is lost": { _tag: "AnswerLost" },
  "the call is lost": { _tag: "RequestLost" },
  "the bank executes the call but returns 500": { _tag: "Status", status: 500, applied: true },
}

/** Lists the calls as `METHOD /path`, with `{id}` in place of each id. */
export const listCalls = ({ exchanges }: SimulatedBank): ReadonlyArray<string> =>
  exchanges
    .filter(({ path }) => path !== "/oauth/token")
    .map(({ method, path }) => `${method} ${path.replace(/^(\/(?:rec|cobr|cob|cobv))\/[^/]+/, "$1/{id}")}`)

export const openRecurrences = (options: Partial<BankOptions> = {}, connection: Partial<ApiPixConnection> = {}) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let aheadMs = 0
    const opened = yield* openBank({ now: () => clock.currentTimeMillisUnsafe() + aheadMs, ...options }, {
      receivingAccount,
      ...connection,
    } as Partial<ApiPixConnection>)
    const { psp, recurrences } = opened

    const offer = (
      recurrence: RequestedRecurrence,
      more: Omit<RecurrenceOrder, "company" | "recurrence"> = { isFresh: true },
    ) => recurrences.offer({ company, recurrence, ...more })

    const approve = Effect.fnUntraced(function* (more: Partial<RequestedRecurrence> = {}) {
      const recurrence = aRecurrence(more)
      const { bankId } = yield* offer(recurrence)
      psp.recurring.approve(bankId)
      return approved(recurrence, bankId)
    })
    const moveTo = (at: number): void => void (aheadMs = at - clock.currentTimeMillisUnsafe())
    return { ...opened, offer, approve, moveTo }
  })
