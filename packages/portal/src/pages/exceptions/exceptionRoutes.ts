import { isPixError } from "@pixcharge/embed"
import { type Form, html } from "@pixcharge/web"
import type { Content, Outcome } from "../../frame/Content.ts"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { confirmation } from "../../parts/confirmation.ts"
import { facts } from "../../parts/facts.ts"
import { readReason, reasonField, type ReasonToCorrect } from "../../parts/reasonField.ts"
import { formats } from "../../parts/formats.ts"
import { exceptionList, exceptionPath, lookAtExceptions } from "./exceptionList.ts"
import { exceptionCrumbs, exceptionPage, maxNoteLength, noteField } from "./exceptionPage.ts"

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

/** Why an open exception can't be returned, by the rule of `ExceptionClosed`. */
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

/** Payments that settled no charge: their list, and their return or keeping. */
export const exceptionRoutes: ReadonlyArray<PortalRoute> = [
  page("/excecoes", { section }, exceptionList, { everyMs: 5_000, look: lookAtExceptions }),
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
