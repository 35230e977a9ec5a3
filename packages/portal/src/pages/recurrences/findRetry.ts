import type { LocalDate } from "@pixcharge/core/calendar"
import { findRetryDay } from "@pixcharge/core/recurrence"
import type { PlainCharge } from "@pixcharge/embed"

/** The path where a new attempt of a cycle's charge is asked for. */
export const retryPath = (id: string): string => `/cobrancas/${id}/tentar`

/** The day for which a new attempt of the charge's debit can be asked for now; undefined where there is none. */
export const findRetry = ({ _tag, cycle, debit }: PlainCharge, now: number): LocalDate | undefined =>
  _tag === "Pending" && cycle !== undefined && debit !== undefined ? findRetryDay(cycle, debit, now) : undefined
