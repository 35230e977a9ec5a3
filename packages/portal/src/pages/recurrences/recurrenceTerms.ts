import type { Page } from "@pixcharge/core"
import { brasiliaDate, type LocalDate } from "@pixcharge/core/calendar"
import { cycleStart, findOutside, hasCycle, isCancellable, isInRanges } from "@pixcharge/core/recurrence"
import type { PlainCharge, PlainRecurrence } from "@pixcharge/embed"
import type { Html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { badge } from "../../parts/elements.ts"
import { formats, maskPayer } from "../../parts/formats.ts"
import { cursorField } from "../../parts/list.ts"
import { chargeTexts } from "../charges/chargeTexts.ts"
import { perPeriod, recurrenceTexts, statusTexts } from "./recurrenceTexts.ts"

export const recurrenceBadge = ({ status }: PlainRecurrence): Html =>
  badge(statusTexts[status].text, statusTexts[status].tone)

/** The amount of a cycle: `R$ 49,90 por mês`. */
export const eachCycle = ({ amountCents, period }: PlainRecurrence): string =>
  amountCents === undefined
    ? `${perPeriod[period]}, ${recurrenceTexts.variable}`
    : `${formats.reais(amountCents)} ${perPeriod[period]}`

export const payerText = ({ payer, payerErasedAt }: PlainRecurrence): string => {
  if (payer !== undefined) return maskPayer(payer)
  return payerErasedAt === undefined ? "—" : chargeTexts.erasedPayer(formats.moment(payerErasedAt))
}

/** Ended or ending: it can't be changed. */
export const isOver = ({ status }: PlainRecurrence): boolean => status === "ending" || status === "ended"

export interface DueCycle {
  readonly cycle: number
  readonly dueDate: LocalDate
}

const findCycleFrom = (recurrence: PlainRecurrence, first: number): DueCycle | undefined => {
  const { skipped = [] } = recurrence
  if (isOver(recurrence)) return undefined
  const cycle = findOutside(skipped, first)
  return hasCycle(recurrence, cycle) ? { cycle, dueDate: cycleStart(recurrence, cycle) } : undefined
}

/** Charges are made ten days ahead, and periods last at least a week. */
const maxMadeAhead = 2

/** The due date of an existing charge, or of the next cycle to charge. */
export const findNextDue = (recurrence: PlainRecurrence, now: number): LocalDate | undefined => {
  const { _tag: state, nextCycle, skipped = [] } = recurrence
  if (state === "Requested" || state === "Offered") return recurrence.firstDueDate
  if (state !== "Approved") return undefined
  const today = brasiliaDate(now)
  for (let cycle = Math.max(1, nextCycle - maxMadeAhead); cycle < nextCycle; cycle++) {
    const dueDate = cycleStart(recurrence, cycle)
    if (dueDate >= today && !isInRanges(skipped, cycle)) return dueDate
  }
  return recurrence.nextDueDate
}

/** Enough for every open cycle on the first page. */
const pageLength = 24

export interface ShownRecurrence {
  readonly recurrence: PlainRecurrence
  readonly charges: Page<PlainCharge>
}

export const readRecurrence = async ({ pix, company }: View, id: string, cursor?: string): Promise<ShownRecurrence> => {
  const recurrence = await pix.recurrences.find(company, id)
  const charges = await pix.recurrences.charges(company, id, {
    limit: pageLength,
    ...(cursor !== undefined && { cursor }),
  })
  return { recurrence, charges }
}

export const readCursor = ({ query }: Pick<View, "query">): string | undefined => query.get(cursorField) || undefined

const isAhead = ({ status, debit }: PlainCharge): boolean => status === "pending" && debit?.failure === undefined

/** The cycle of the earliest cancellable charge that waits for its first debit, or the first cycle without a charge. */
export const findNextCycle = ({ recurrence, charges }: ShownRecurrence, now: number): DueCycle | undefined => {
  if (recurrence.status !== "approved") return undefined
  const open = charges.items.findLast((charge) => isAhead(charge) && isCancellable(charge, now))
  return open?.cycle !== undefined && open.dueDate !== undefined
    ? { cycle: open.cycle.cycle, dueDate: open.dueDate }
    : findCycleFrom(recurrence, recurrence.nextCycle)
}

/** The maximum number of cycles to skip at once: a year of months. */
const maxSkipped = 12

/** The cycles from the first one, which can be charged already, to choose the last cycle of a pause. */
export const listCyclesFrom = (recurrence: PlainRecurrence, first: DueCycle): ReadonlyArray<DueCycle> => {
  const later = Array.from({ length: maxSkipped - 1 }, (_, index) => first.cycle + 1 + index)
  const known = later.filter((cycle) => hasCycle(recurrence, cycle))
  return [first, ...known.map((cycle) => ({ cycle, dueDate: cycleStart(recurrence, cycle) }))]
}
