import type { DeliveryAttempt, DeliveryStatus } from "@pixcharge/core"
import type { ChargeStatus } from "@pixcharge/core/charges"
import { isPixError, type RecurrenceStatus } from "@pixcharge/embed"
import { type Html, html, qrSvg, raw } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import type { ShownHeader } from "../calls/RecordedCall.ts"

const chargeTones: Readonly<Record<ChargeStatus, string>> = {
  pending: "info",
  paid: "good",
  expired: "warn",
  cancelled: "neutral",
  refunding: "warn",
  refunded: "neutral",
  failed: "bad",
}

export const chargeBadge = (status: ChargeStatus): Html =>
  html`<span class="badge" data-tone="${chargeTones[status]}">${status}</span>`

const recurrenceTones: Readonly<Record<RecurrenceStatus, string>> = {
  requested: "info",
  offered: "info",
  approved: "good",
  ending: "warn",
  ended: "neutral",
}

export const recurrenceBadge = (status: RecurrenceStatus): Html =>
  html`<span class="badge" data-tone="${recurrenceTones[status]}">${status}</span>`

const deliveryTones: Readonly<Record<DeliveryStatus, string>> = {
  waiting: "info",
  delivered: "good",
  dead: "bad",
  superseded: "neutral",
}

export const deliveryBadge = (status: DeliveryStatus): Html =>
  html`<span class="badge" data-tone="${deliveryTones[status]}">${status}</span>`

/** The result of an attempt. An attempt at a function of the host has no HTTP status. */
export const attemptBadge = ({ status, error }: Pick<DeliveryAttempt, "status" | "error">): Html =>
  status === undefined && error === undefined
    ? html`<span class="badge" data-tone="good">taken</span>`
    : httpBadge(status)

export const httpBadge = (status: number | undefined): Html =>
  status === undefined
    ? html`<span class="badge">no answer</span>`
    : html`<span class="badge" data-tone="${status < 300 ? "good" : status < 500 ? "warn" : "bad"}">${status}</span>`

export const headerList = (headers: ReadonlyArray<ShownHeader>, label: string): Html =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${label}">
${headers.map(([name, value]) => `${name}: ${value}`).join("\n")}</pre>`

/** Formats JSON with one line for each field. Returns any other text unchanged. */
export const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

export const codeCard = (title: string, brCode: string): Html =>
  html`<section class="card code-card" aria-labelledby="code-title">
    <h2 id="code-title">${title}</h2>
    <figure class="qr" lang="pt-BR">${raw(qrSvg(brCode))}</figure>
    <textarea class="code payload" id="payload" aria-label="Payload" rows="5" readonly>${brCode}</textarea>
    <button type="button" class="button button-small" data-copy="payload" hidden>Copy the payload</button>
  </section>`

/** The payer's page, as a link from the root; undefined if the sandbox has no checkout. */
export const checkoutLink = async (
  { pix, company }: ConsoleContext,
  root: string,
  id: string,
  link: "link" | "recurrenceLink" = "link",
) => {
  try {
    const address = await pix.checkout[link](company.cnpj, id)
    // The page's path below the console's mount, even if payers use another address of the host.
    return `${root}${address.slice(address.lastIndexOf("/pagar/") + 1)}`
  } catch (error) {
    if (isPixError(error)) return undefined
    throw error
  }
}
