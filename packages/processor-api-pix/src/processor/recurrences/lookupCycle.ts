import type { ProcessorUnavailable } from "@pixcharge/core"
import type { CycleView } from "@pixcharge/core/recurring"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge } from "@pixcharge/core/charges"
import type { DebitAttempt } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type { PspClient } from "../../http/PspClient.ts"
import type { ReceivingAccount } from "../../ReceivingAccount.ts"
import type { PspAttempt, PspCycle } from "../../wire/CobR.ts"
import { paymentPath } from "../../wire/paths.ts"
import { readPayment } from "../../wire/PixBody.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { failUnavailable, orUndefined } from "../chargeCalls.ts"
import { logFlaws } from "../logFlaws.ts"
import { toProcessorView } from "../toProcessorView.ts"
import { findCycle, isSameRecurrence } from "./cycleCalls.ts"

const absent: CycleView = {
  status: "unknown",
  payments: [],
  returns: [],
  debit: { status: "absent", attempts: [] },
}

const statuses = {
  active: "active",
  completed: "completed",
  rejected: "removed",
  expired: "removed",
  cancelled: "removed",
  unknown: "active",
} as const

/** An attempt whose day can't be read is one of the first day, and one of no known kind is known by its day. */
const toAttempt = ({ kind, on: shown, ...attempt }: PspAttempt, settlesOn: LocalDate): DebitAttempt => {
  const on = shown ?? settlesOn
  return { ...attempt, on, kind: kind ?? (on > settlesOn ? "retry" : "first") }
}

const isResent = ({ kind }: DebitAttempt): number => (kind === "resent" ? 1 : 0)

/** The attempts by their days; banks may list them in any order. */
const listAttempts = ({ attempts }: PspCycle, settlesOn: LocalDate): ReadonlyArray<DebitAttempt> =>
  attempts
    .map((attempt) => toAttempt(attempt, settlesOn))
    .toSorted((a, b) => (a.on === b.on ? isResent(a) - isResent(b) : a.on < b.on ? -1 : 1))

/** What the bank shows of a cycle's charge, in the form of core; where it shows no due date, that of the order. */
const toCycleView = (charge: CycleCharge, known: PspCycle): CycleView => {
  const { status, by, code } = known
  return {
    ...toProcessorView(charge, {
      ...(charge.dueDate && { dueDate: charge.dueDate }),
      ...known,
      status: statuses[status],
    }),
    debit: {
      status,
      attempts: listAttempts(known, charge.cycle.settlesOn),
      ...(by !== undefined && { by }),
      ...(code !== undefined && { code }),
    },
  }
}

/** A bank that calls it paid and leaves the payment out shows that by the id of the attempt. */
const addPayments = Effect.fnUntraced(function* (client: PspClient, known: PspCycle) {
  const ids = known.attempts.flatMap(({ status, endToEndId }) => (status === "paid" ? (endToEndId ?? []) : []))
  if (known.payments.length > 0 || known.flaws !== undefined) return known
  const found = yield* Effect.forEach(ids, (id) =>
    orUndefined(
      client.call({
        operation: "lookupCycle",
        method: "GET",
        path: paymentPath(id),
        read: readPayment,
        mayBeMissing: true,
      }),
    ),
  )
  return { ...known, payments: found.filter((payment) => payment !== undefined) }
})

/** A cycle's charge with its attempts and payments (`GET /cobr/{txid}`): its Pix may be in no list of the key. */
export const lookupCycle = Effect.fnUntraced(
  function* (
    client: PspClient,
    charge: CycleCharge,
    account: ReceivingAccount,
  ): Effect.fn.Return<CycleView, ProcessorUnavailable | PspRefusal> {
    const known = yield* findCycle(client, charge.txid)
    if (known === undefined) return absent
    if (!isSameRecurrence(charge, account, known)) return { ...absent, isOfAnother: true }
    yield* logFlaws(`charge ${charge.txid}`, known.flaws)
    return toCycleView(charge, yield* addPayments(client, known))
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookupCycle")),
)
