import { refundableUntil } from "@pixcharge/core/charges"
import { isPixError, type PlainCharge } from "@pixcharge/embed"
import { type Html, html, qrSvg, raw } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { badge, copyButton } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { debitStatus } from "../recurrences/debit.ts"
import { chargeTexts, statusTexts } from "./chargeTexts.ts"

export interface ChargeMoney {
  /** Absent until the charge is paid. */
  readonly paidCents?: number
  readonly returnedCents: number
  readonly returningCents: number
  /** The end of the time for refunds, in epoch milliseconds. */
  readonly refundableUntil?: number
}

const sum = (rows: ReadonlyArray<{ readonly amountCents: number }>): number =>
  rows.reduce((cents, { amountCents }) => cents + amountCents, 0)

export const chargeMoney = (charge: PlainCharge): ChargeMoney => {
  if (!("payment" in charge)) return { returnedCents: 0, returningCents: 0 }
  const { payment, returns, partialRefunds = [] } = charge
  const returnedCents = sum(returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId))
  const parts = partialRefunds.filter(({ status }) => status === "refunding")
  return {
    paidCents: payment.amountCents,
    returnedCents,
    returningCents: charge._tag === "Refunding" ? payment.amountCents - returnedCents : sum(parts),
    refundableUntil: refundableUntil(payment.paidAt),
  }
}

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

/** A card with the code, which people can select without a script. */
export const brCodeCard = (
  brCode: string,
  payerPage: string | undefined,
  pageText: string = chargeTexts.payerPage,
): Html =>
  html`<section class="card stack" aria-labelledby="code-heading">
    <h2 id="code-heading">${chargeTexts.brCode}</h2>
    <details>
      <summary>${chargeTexts.qrCode}</summary>
      <div class="portal-qr">${raw(qrSvg(brCode))}</div>
    </details>
    <p class="code portal-code" id="br-code" tabindex="0">${brCode}</p>
    <div class="row">
      ${
        payerPage !== undefined &&
        html`<a class="button button-primary" href="${payerPage}" rel="noreferrer">${pageText}</a>`
      }
      ${copyButton(
        "br-code",
        { copy: chargeTexts.copy, done: chargeTexts.copied, failed: chargeTexts.notCopied },
        { isPrimary: payerPage === undefined },
      )}
    </div>
  </section>`

/** Undefined without a checkout. */
export const payerPage = async (
  { pix, company }: View,
  { id }: { readonly id: string },
  link: "link" | "recurrenceLink" = "link",
): Promise<string | undefined> => {
  try {
    return await pix.checkout[link](company, id)
  } catch (error) {
    if (isPixError(error, "InvalidOption")) return undefined
    throw error
  }
}

/** Of a return that the bank hasn't confirmed; empty for 0 cents. */
export const waitingNotice = (cents: number): Html =>
  cents > 0
    ? html`<p class="notice" data-tone="info">
        Devolução de ${formats.reais(cents)} solicitada. Aguardando a confirmação do banco.
      </p>`
    : html``
