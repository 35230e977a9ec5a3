import { isPixError, type PlainException } from "@pixcharge/embed"
import { type Form, type Html, html, type HtmlChild } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, Crumb, Outcome, View } from "../../frame/View.ts"
import { confirmation, facts } from "../../parts/elements.ts"
import { field, type FieldProblem, readReason, reasonField, type ReasonToCorrect } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { auditTable } from "../audit.ts"
import { waitingNotice } from "../charges/chargeParts.ts"
import { exceptionPath, reasonTexts, statusBadge } from "./exceptionList.ts"

const exceptionCrumbs: ReadonlyArray<Crumb> = [{ title: "Pagamentos sem cobrança", path: "/excecoes" }]
const noteField = "nota"
const maxNoteLength = 500

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

/** The page of an exception. `note` and `problem` come from an invalid form. */
const exceptionPage = async (view: View, endToEndId: string, note = "", problem?: FieldProblem): Promise<Content> => {
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

type ExceptionView = View<"/excecoes/:endToEndId">

const confirmReturn = async (view: View, endToEndId: string, wrong?: ReasonToCorrect): Promise<Content> => {
  const { payment, status } = await view.pix.exceptions.find(view.company, endToEndId)
  if (status !== "open") return exceptionPage(view, payment.endToEndId)
  const path = exceptionPath(payment.endToEndId)
  return {
    title: "Devolver este pagamento?",
    ...(wrong !== undefined && { status: 422 }),
    crumbs: [...exceptionCrumbs, { title: formats.reais(payment.amountCents), path }],
    body: confirmation(view, {
      body: html`${facts([
          ["Será devolvido", html`<strong>${formats.reais(payment.amountCents)}</strong>, o valor integral`],
          ["Pago em", formats.dateTime(payment.paidAt)],
          ["ID da transação", html`<span class="mono break">${payment.endToEndId}</span>`],
        ])}
        <p>O valor volta à conta de origem. A devolução não pode ser desfeita.</p>
        ${reasonField(wrong)}`,
      path: `${path}/devolver`,
      submit: `Devolver ${formats.reais(payment.amountCents)}`,
      isDangerous: true,
      back: path,
    }),
  }
}

/** Why an open exception can't be returned, by the `state` of `ExceptionClosed`. */
const obstacleTexts: Readonly<Record<string, string>> = {
  RefundWindowClosed:
    "O prazo do Banco Central para devolver, de 90 dias após o pagamento, terminou. Mantenha o pagamento, com uma nota.",
  PartlyReturned:
    "Uma parte deste pagamento já foi devolvida por outro meio. Devolva o restante no portal do banco e mantenha o pagamento, com uma nota.",
}

const obstaclePage = (text: string, path: string) => (): Content => ({
  title: "Não foi possível devolver",
  status: 409,
  crumbs: [...exceptionCrumbs, { title: "Este pagamento", path }],
  body: html`<p class="notice" data-tone="bad">${text}</p>`,
})

const refund = async (view: ExceptionView, form: Form): Promise<Outcome> => {
  const { endToEndId } = view.params
  const path = exceptionPath(endToEndId)
  const reason = readReason(form)
  if ("problem" in reason) return { correct: (shown) => confirmReturn(shown, endToEndId, reason) }
  try {
    const { status } = await view.as.exceptions.refund(view.company, endToEndId, reason)
    return { to: path, notice: status === "returned" ? "refundDone" : "refundRequested" }
  } catch (error) {
    const text = isPixError(error, "ExceptionClosed") ? obstacleTexts[error.state] : undefined
    if (text === undefined) throw error
    return { page: obstaclePage(text, path) }
  }
}

const keep = async (view: ExceptionView, form: Form): Promise<Outcome> => {
  const { endToEndId } = view.params
  const note = form[noteField]?.trim() ?? ""
  if (note === "" || note.length > maxNoteLength) {
    const text =
      note === ""
        ? "Informe o motivo para manter o pagamento."
        : `A nota pode ter no máximo ${maxNoteLength} caracteres.`
    return { correct: (shown) => exceptionPage(shown, endToEndId, note, { field: noteField, text }) }
  }
  await view.as.exceptions.resolve(view.company, endToEndId, note)
  return { to: exceptionPath(endToEndId), notice: "exceptionKept" }
}

const section = "exceptions"

export const exceptionRoutes: ReadonlyArray<PortalRoute> = [
  page("/excecoes/:endToEndId", { section }, (view) => exceptionPage(view, view.params.endToEndId), {
    everyMs: 2_000,
    look: ({ pix, company, params }) => pix.exceptions.find(company, params.endToEndId),
  }),
  page("/excecoes/:endToEndId/devolver", { section, right: "exceptions" }, (view) =>
    confirmReturn(view, view.params.endToEndId),
  ),
  action("/excecoes/:endToEndId/devolver", { section, right: "exceptions" }, (view, form) => refund(view, form)),
  action("/excecoes/:endToEndId/manter", { section, right: "exceptions" }, (view, form) => keep(view, form)),
]
