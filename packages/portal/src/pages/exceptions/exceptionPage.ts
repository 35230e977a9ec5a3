import type { PlainException } from "@pixcharge/embed"
import { type Html, type HtmlChild, html } from "@pixcharge/web"
import type { Content, Crumb } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { facts } from "../../parts/facts.ts"
import { field, type FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { waitingNotice } from "../charges/waitingNotice.ts"
import { auditTable } from "../audit/auditTable.ts"
import { exceptionPath } from "./exceptionList.ts"
import { reasonTexts, statusBadge } from "./exceptionTexts.ts"

export const exceptionCrumbs: ReadonlyArray<Crumb> = [{ title: "Pagamentos sem cobrança", path: "/excecoes" }]
export const noteField = "nota"
export const maxNoteLength = 500

const chargeLink = ({ link }: View, { payment }: PlainException): Html | undefined =>
  payment.chargeId &&
  html`<a class="mono break" href="${link(`/cobrancas/${payment.chargeId}`)}">${payment.chargeId}</a>`

const stateFacts = ({ state }: PlainException): ReadonlyArray<readonly [string, HtmlChild]> => {
  switch (state._tag) {
    case "Refunding":
      return [
        ["Devolução solicitada em", formats.dateTime(state.refund.requestedAt)],
        ["Motivo da devolução", state.refund.reason],
      ]
    case "Refunded":
      return [
        ["Devolvido em", formats.dateTime(state.refundedAt)],
        ["Motivo da devolução", state.reason],
      ]
    case "Resolved":
      return [
        ["Mantido em", formats.dateTime(state.resolvedAt)],
        ["Nota", state.note],
      ]
    case "Open":
      return []
  }
}

const returnedCents = ({ returns }: PlainException): number =>
  returns.reduce((sum, { amountCents }) => sum + amountCents, 0)

const failureNotice = ({ state }: PlainException): Html | undefined =>
  state._tag === "Open" && state.failedRefund !== undefined
    ? html`<p class="notice" data-tone="warn">
        O banco recusou a devolução solicitada em ${formats.moment(state.failedRefund.requestedAt)}. O valor não foi
        devolvido. Motivo do banco: ${state.failedRefund.rejection}
      </p>`
    : undefined

const noteForm = (view: View, { payment }: PlainException, note: string, problem: FieldProblem | undefined): Html =>
  html`<form class="card stack" method="post" action="${view.link(exceptionPath(payment.endToEndId, "/manter"))}">
    <h2>Manter o pagamento</h2>
    <p>O valor fica na conta. A decisão não pode ser desfeita.</p>
    ${view.formFields()}
    ${field(
      {
        name: noteField,
        label: "Motivo para manter o pagamento",
        hint: "Não escreva nomes nem documentos de pagadores: a nota fica guardada.",
        problem,
      },
      (attributes) => html`<textarea required maxlength="${maxNoteLength}" ${attributes}>${note}</textarea>`,
    )}
    <div><button class="button">Manter o pagamento com esta nota</button></div>
  </form>`

const decisions = (view: View, exception: PlainException, note: string, problem: FieldProblem | undefined): Html =>
  html`<section class="card stack" aria-labelledby="return">
      <h2 id="return">Devolver ao pagador</h2>
      <p>O valor integral volta à conta de origem.</p>
      <div>
        <a class="button button-primary" href="${view.link(exceptionPath(exception.payment.endToEndId, "/devolver"))}"
          >Devolver ${formats.reais(exception.payment.amountCents)}</a
        >
      </div>
    </section>
    ${noteForm(view, exception, note, problem)}`

/** One exception, with the decisions that are possible; `note` and `problem` are those of a form to correct. */
export const exceptionPage = async (
  view: View,
  endToEndId: string,
  note = "",
  problem?: FieldProblem,
): Promise<Content> => {
  const exception = await view.pix.exceptions.find(view.company, endToEndId)
  const { payment, reason, status } = exception
  const back = returnedCents(exception)
  const isOpen = status === "open"
  const changes = await view.pix.audit.list(view.company, { endToEndId }, { limit: 20 })
  return {
    title: `Pagamento de ${formats.reais(payment.amountCents)} sem cobrança correspondente`,
    crumbs: exceptionCrumbs,
    ...(problem === undefined ? { shown: exception } : { status: 422 }),
    body: html`${failureNotice(exception)} ${waitingNotice(exception.status === "refunding" ? payment.amountCents : 0)}
      <section class="card">
        ${facts([
          ["Situação", statusBadge(exception)],
          ["Motivo", reasonTexts[reason]],
          ["Valor pago", formats.reais(payment.amountCents)],
          ["Pago em", formats.dateTime(payment.paidAt)],
          ["Já devolvido", back > 0 && formats.reais(back)],
          ...stateFacts(exception),
          ["Cobrança", chargeLink(view, exception)],
          ["ID da transação", html`<span class="mono break">${payment.endToEndId}</span>`],
          ["txid", payment.txid && html`<span class="mono break">${payment.txid}</span>`],
        ])}
      </section>
      ${isOpen && view.may("exceptions") && html`<div class="grid">${decisions(view, exception, note, problem)}</div>`}
      ${isOpen && !view.may("exceptions") && html`<p class="muted">Seu usuário não tem permissão para tratar estes pagamentos.</p>`}
      ${changes.items.length > 0 && auditTable("Decisões registradas", changes.items, view)}`,
  }
}
