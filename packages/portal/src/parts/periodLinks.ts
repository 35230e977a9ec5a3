import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../frame/View.ts"
import { periodTexts } from "./partTexts.ts"
import { type PeriodChoice, periodQuery } from "./period.ts"

/** Links to the last days, one for each number of days. The present one is marked. */
export const periodLinks = (
  { link, now }: Pick<View, "link" | "now">,
  path: string,
  { from, until }: Pick<PeriodChoice, "from" | "until">,
  numbers: ReadonlyArray<number>,
): Html => {
  const today = brasiliaDate(now)
  const links = numbers.map((days) => {
    const first = addDays(today, 1 - days)
    const search = new URLSearchParams(periodQuery({ from: first, until: today }))
    const isShown = from === first && until === today
    return html`<li>
      <a href="${link(`${path}?${String(search)}`)}" ${isShown && html`aria-current="true"`}
        >${days === 1 ? periodTexts.today : periodTexts.lastDays(days)}</a
      >
    </li>`
  })
  return html`<nav aria-label="${periodTexts.links}">
    <ul class="row period-links">
      ${links}
    </ul>
  </nav>`
}
