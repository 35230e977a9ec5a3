import type { LocalDate } from "../../calendar/LocalDate.ts"
import type { ChargeCycle, Debit, DebitView } from "../../recurrence/cycles/Debit.ts"
import { decideDebit, findRetryObstacle } from "../../recurrence/cycles/decideDebit.ts"
import type { Charge, PendingCharge } from "./Charge.ts"
import type { CycleNews } from "./CycleNews.ts"
import { clearChecks, stamp, stay, type Transition } from "./Transition.ts"

/** What happens to a cycle's charge besides what happens to any charge. */
export type CycleCommand =
  /** The bank shows this of its debit. */
  | { readonly _tag: "RecordDebit"; readonly view: DebitView }
  /** A new attempt is asked for on this day. */
  | { readonly _tag: "RequestRetry"; readonly on: LocalDate }
  /** The bank has refused the new attempt on this day: none was made. */
  | { readonly _tag: "RecordRetryRefusal"; readonly on: LocalDate }

/** A cycle's charge that is neither paid nor cancelled. */
type PendingCycle = PendingCharge & { readonly cycle: ChargeCycle; readonly debit: Debit }

const isPendingCycle = (charge: Charge): charge is PendingCycle =>
  charge._tag === "Pending" && charge.cycle !== undefined && charge.debit !== undefined

/** The rules of a cycle's charge until it is paid or cancelled; they change nothing of any other. Total and pure, like `decide`. */
export const decideCycle = (charge: Charge, command: CycleCommand, now: number): Transition => {
  if (!isPendingCycle(charge)) return stay
  if (command._tag === "RecordDebit") return recordDebit(charge, command.view, now)
  const { cycle, debit } = charge
  const { on } = command
  const withRetries = (retries: Debit["retries"]): Transition => ({
    ...stay,
    next: { ...charge, ...stamp(charge, now), debit: { ...debit, retries } },
  })
  if (command._tag === "RecordRetryRefusal") {
    return debit.retries.includes(on) ? withRetries(debit.retries.filter((day) => day !== on)) : stay
  }
  return findRetryObstacle(cycle, debit, now, on) === undefined ? withRetries([...debit.retries, on]) : stay
}

const recordDebit = (charge: PendingCycle, view: DebitView, now: number): Transition => {
  const { next: debit = charge.debit, news, isCancelled } = decideDebit(charge.cycle, charge.debit, view, now)
  const moved = { ...charge, ...stamp(charge, now), debit }
  if (isCancelled === true) {
    const publication = view.by === "company" ? {} : { news: cancelledNews(charge, view) }
    return { ...stay, next: { ...clearChecks(moved), _tag: "Cancelled", cancelledAt: now }, ...publication }
  }
  return debit === charge.debit ? stay : { ...stay, next: moved, ...(news && { news }) }
}

const cancelledNews = ({ cycle }: PendingCycle, { by, code, attempts }: DebitView): CycleNews => ({
  kind: "payment-failed",
  reason: "cancelled",
  on: attempts.at(-1)?.on ?? cycle.settlesOn,
  ...(by !== undefined && { by }),
  ...(code !== undefined && { code }),
})
