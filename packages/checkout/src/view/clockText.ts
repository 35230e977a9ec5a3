import { texts } from "./texts.ts"

const pad2 = (value: number): string => String(value).padStart(2, "0")

const secondMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long a code can still be paid: `09:58`, from an hour on `5 h 03 min`, from two days on `3 dias`. */
export const clockText = (remainingMs: number): string => {
  const left = Math.max(0, remainingMs)
  const minutes = Math.trunc(left / 60_000) % 60
  if (left >= 2 * dayMs) return texts.days(Math.trunc(left / dayMs))
  if (left >= hourMs) return texts.hours(Math.trunc(left / hourMs), pad2(minutes))
  return `${pad2(minutes)}:${pad2(Math.trunc(left / secondMs) % 60)}`
}

/** How long before the expiry a page warns of it. WCAG 2.2.1 asks for 20 seconds at least. */
const warningMs = 60_000

/** The warning that a code will expire, or an empty text. */
export const warningText = (remainingMs: number): string =>
  remainingMs > 0 && remainingMs <= warningMs ? texts.soonExpired : ""
