import { brasiliaDate, type LocalDate } from "@pixcharge/core/calendar"
import { cycleStart, hasCycle } from "@pixcharge/core/recurrence"
import type { PlainRecurrence } from "@pixcharge/embed"
import type { Html } from "@pixcharge/web"
import { badge } from "../../parts/badge.ts"
import { formats } from "../../parts/formats.ts"
import { maskPayer } from "../../parts/maskPayer.ts"
import { chargeTexts } from "../charges/chargeTexts.ts"
import { perPeriod, recurrenceTexts, statusTexts } from "./recurrenceTexts.ts"

/** The status in a word. */
export const recurrenceBadge = ({ status }: PlainRecurrence): Html =>
  badge(statusTexts[status].text, statusTexts[status].tone)

/** `R$ 49,90 por mês`. */
export const eachCycle = ({ amountCents, period }: PlainRecurrence): string =>
  amountCents === undefined
    ? `${perPeriod[period]}, ${recurrenceTexts.variable}`
    : `${formats.reais(amountCents)} ${perPeriod[period]}`

/** The payer, masked. */
export const payerText = ({ payer, payerErasedAt }: PlainRecurrence): string => {
  if (payer !== undefined) return maskPayer(payer)
  return payerErasedAt === undefined ? "—" : chargeTexts.erasedPayer(formats.moment(payerErasedAt))
}

/** A cycle, and the day on which it begins. */
export interface DueCycle {
  readonly cycle: number
  readonly dueDate: LocalDate
}

/** The first cycle of a recurrence that is not over, from this one on, which its host doesn't leave out. */
export const findCycleFrom = (recurrence: PlainRecurrence, first: number): DueCycle | undefined => {
  const { status, skipped = [] } = recurrence
  if (status === "ending" || status === "ended") return undefined
  let cycle = first
  while (skipped.includes(cycle)) cycle++
  return hasCycle(recurrence, cycle) ? { cycle, dueDate: cycleStart(recurrence, cycle) } : undefined
}

/** The next due date: also of a cycle whose charge is made already, some days before. */
export const findNextDue = (recurrence: PlainRecurrence, now: number): LocalDate | undefined => {
  const { nextCycle } = recurrence
  const made = nextCycle > 1 ? findCycleFrom(recurrence, nextCycle - 1) : undefined
  const isAhead = made !== undefined && made.dueDate >= brasiliaDate(now)
  return (isAhead ? made : findCycleFrom(recurrence, nextCycle))?.dueDate
}
