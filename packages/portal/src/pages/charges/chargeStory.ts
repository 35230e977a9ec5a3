import type { CancelledBy, PartialRefundStatus, PlainStoryEntry, ReturnKind } from "@pixcharge/embed"
import { type Html, html, type HtmlChild } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import type { Tone } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { changeDetail, changeNames } from "../audit.ts"
import { attemptText, deliveryPath, endpointName, kindTexts, statusTexts } from "../deliveries/deliveryList.ts"
import { termDifferences } from "./chargeTerms.ts"
import { exceptionPath, reasonTexts } from "../exceptions/exceptionList.ts"

const storyTexts = {
  issued: (amount: string) => `Cobrança de ${amount} criada`,
  dueOn: (day: string) => `vence em ${day}`,
  changeRequested: "Alteração solicitada",
  changed: "Alteração em vigor",
  changedAtBank: "Alteração feita no banco",
  changeRefused: "Alteração recusada pelo banco",
  expired: "Prazo de pagamento encerrado",
  cancelled: "Cobrança cancelada",
  payerErased: "Dados do pagador apagados",
  paid: (amount: string) => `Pagamento de ${amount}`,
  refunded: "Pagamento devolvido integralmente",
  exception: (amount: string) => `Outro pagamento: ${amount}`,
  exceptionResolved: "Outro pagamento mantido",
  exceptionRefund: "Devolução do outro pagamento",
  refund: (amount: string) => `Devolução total solicitada: ${amount}`,
  partialRefund: (amount: string) => `Devolução parcial solicitada: ${amount}`,
  returned: (amount: string) => `Devolução de ${amount} à conta de origem`,
  event: (what: string, endpoint: string) => `Evento “${what}” para ${endpoint}`,
  attempt: (endpoint: string) => `Tentativa de entrega a ${endpoint}`,
  took: (ms: number) => `${ms} ms`,
  reason: "motivo",
  rejection: "motivo do banco",
  note: "nota",
  by: (who: string) => `por ${who}`,
}

const refundStatusTexts: Readonly<Record<PartialRefundStatus, string>> = {
  refunding: "em andamento",
  returned: "concluída",
  failed: "recusada pelo banco",
}

const cancelledByTexts: Readonly<Record<CancelledBy, string>> = {
  host: "pela aplicação",
  portal: "por um operador",
  bank: "removida no banco",
  terms: "o banco recusou os dados da cobrança",
}

const returnKindTexts: Readonly<Record<ReturnKind, string>> = {
  refund: "devolução solicitada aqui",
  outside: "devolução feita fora daqui, como no portal do banco",
  dispute: "contestação do pagador (MED)",
}

interface Description {
  readonly title: string
  readonly details?: ReadonlyArray<HtmlChild>
  readonly tone?: Tone
  /** A path relative to the company's path. */
  readonly path?: string
}

const code = (text: string): Html => html`<span class="mono">${text}</span>`

const refundTones = { refunding: "info", returned: "good", failed: "bad" } as const

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const describeAttempt = ({ endpointId, attempt }: Extract<PlainStoryEntry, { kind: "attempt" }>): Description => ({
  title: storyTexts.attempt(endpointName(endpointId)),
  details: [attemptText(attempt), storyTexts.took(attempt.latencyMs)],
  tone: attempt.error === undefined && (attempt.status ?? 200) < 300 ? "good" : "warn",
})

const describeEvent = ({ delivery }: Extract<PlainStoryEntry, { kind: "event" }>): Description => ({
  title: storyTexts.event(kindTexts[delivery.event.kind], endpointName(delivery.endpointId)),
  details: [lowerFirst(statusTexts[delivery.status].text), delivery.reason],
  path: deliveryPath(delivery),
  ...(delivery.status === "dead" && { tone: "bad" }),
})

const describeException = ({ exception }: Extract<PlainStoryEntry, { kind: "exception" }>): Description => ({
  title: storyTexts.exception(formats.reais(exception.payment.amountCents)),
  details: [lowerFirst(reasonTexts[exception.reason]), code(exception.payment.endToEndId)],
  path: exceptionPath(exception.payment.endToEndId),
  tone: "warn",
})

const describeRefund = (
  title: string,
  status: keyof typeof refundStatusTexts,
  { reason, rejection }: { readonly reason?: string | undefined; readonly rejection?: string | undefined },
): Description => ({
  title,
  details: [
    refundStatusTexts[status],
    reason !== undefined && `${storyTexts.reason}: ${reason}`,
    rejection !== undefined && `${storyTexts.rejection}: ${rejection}`,
  ],
  tone: refundTones[status],
})

type ChangeEntry = Extract<PlainStoryEntry, { kind: "changeRequested" | "changed" | "changeRefused" }>

const changedByTexts: Readonly<Record<ChangeEntry["by"], string>> = {
  host: "pela aplicação",
  portal: "por um operador",
  bank: "pelo banco",
  issue: "de volta aos dados da emissão",
}

const changeTones = { changeRequested: "info", changed: "good", changeRefused: "bad" } as const

const describeChange = (entry: ChangeEntry): Description => {
  const { kind, by, before, terms } = entry
  const isOfBank = kind === "changed" && by === "bank"
  return {
    title: isOfBank ? storyTexts.changedAtBank : storyTexts[kind],
    details: [
      ...termDifferences(before, terms),
      kind === "changeRequested" && changedByTexts[by],
      "rejection" in entry && `${storyTexts.rejection}: ${entry.rejection}`,
    ],
    tone: isOfBank ? "warn" : changeTones[kind],
  }
}

const describe = (entry: PlainStoryEntry): Description => {
  switch (entry.kind) {
    case "issued":
      return {
        title: storyTexts.issued(formats.reais(entry.amountCents)),
        details: [entry.dueDate !== undefined && storyTexts.dueOn(formats.day(entry.dueDate))],
      }
    case "changeRequested":
    case "changed":
    case "changeRefused":
      return describeChange(entry)
    case "cancelled":
      return { title: storyTexts.cancelled, details: [entry.by !== undefined && cancelledByTexts[entry.by]] }
    case "paid":
      return {
        title: storyTexts.paid(formats.reais(entry.payment.amountCents)),
        details: [code(entry.payment.endToEndId)],
        tone: "good",
      }
    case "exception":
      return describeException(entry)
    case "exceptionRefund":
      return describeRefund(storyTexts.exceptionRefund, entry.status, entry)
    case "exceptionResolved":
      return { title: storyTexts.exceptionResolved, details: [`${storyTexts.note}: ${entry.note}`] }
    case "refund":
      return describeRefund(storyTexts.refund(formats.reais(entry.amountCents)), entry.status, entry)
    case "partialRefund": {
      const { amountCents, refund, rejection } = entry.partialRefund
      const reasons = { reason: refund.reason, rejection }
      return describeRefund(storyTexts.partialRefund(formats.reais(amountCents)), entry.status, reasons)
    }
    case "return":
      return {
        title: storyTexts.returned(formats.reais(entry.returned.amountCents)),
        details: [returnKindTexts[entry.returned.kind]],
        tone: "warn",
      }
    case "event":
      return describeEvent(entry)
    case "attempt":
      return describeAttempt(entry)
    case "audit": {
      const { change, by } = entry.record
      return {
        title: changeNames[change.kind],
        details: [changeDetail(change), by !== undefined && storyTexts.by(by)],
      }
    }
    default:
      return { title: storyTexts[entry.kind] }
  }
}

const isShown = (detail: HtmlChild): boolean => detail !== undefined && detail !== false && detail !== ""

const item = (view: View, entry: PlainStoryEntry): Html => {
  const { title, details = [], tone, path } = describe(entry)
  const shownDetails = details.filter(isShown)
  return html`<li ${tone !== undefined && html`data-tone="${tone}"`}>
    <span class="timeline-time muted">${formats.dateTime(entry.at)}</span>
    <span class="timeline-title">${path === undefined ? title : html`<a href="${view.link(path)}">${title}</a>`}</span>
    ${
      shownDetails.length > 0 &&
      html`<ul class="timeline-details muted">
        ${shownDetails.map((detail) => html`<li>${detail}</li>`)}
      </ul>`
    }
  </li>`
}

/** Lists the entries with the newest first. `entries` has the oldest first. */
export const storyList = (view: View, entries: ReadonlyArray<PlainStoryEntry>): Html =>
  html`<ol class="timeline" reversed>
    ${entries.toReversed().map((entry) => item(view, entry))}
  </ol>`
