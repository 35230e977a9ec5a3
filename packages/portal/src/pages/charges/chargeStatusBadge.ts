import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { badge } from "../../parts/badge.ts"
import { formats } from "../../parts/formats.ts"
import { debitStatus } from "../recurrences/debitStatus.ts"
import { chargeMoney } from "./chargeMoney.ts"
import { chargeTexts, statusTexts } from "./chargeTexts.ts"

/** The status of a charge, with the parts of its payment that went back or are on their way. */
export const chargeStatusBadge = (charge: PlainCharge): Html => {
  const { text, tone } = debitStatus(charge) ?? statusTexts[charge.status]
  const { returnedCents, returningCents } = chargeMoney(charge)
  const parts =
    charge.status === "paid"
      ? [
          returnedCents > 0 && chargeTexts.partlyReturned(formats.reais(returnedCents)),
          returningCents > 0 && chargeTexts.partlyReturning(formats.reais(returningCents)),
        ].filter((part) => part !== false)
      : []
  return html`<span
    >${badge(text, tone)} ${parts.length > 0 && html`<small class="muted">${parts.join(" · ")}</small>`}</span
  >`
}
