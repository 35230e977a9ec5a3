import { isPixError } from "@pixcharge/embed"
import type { Form } from "@pixcharge/web"
import type { Outcome } from "../../frame/Content.ts"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { ActionView } from "../../frame/View.ts"
import type { FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { newChargePath, sendPath } from "../charges/chargePaths.ts"
import { issuePage } from "./issueForm.ts"
import { issueTexts } from "./issueTexts.ts"
import { orderFields, readOrder } from "./readOrder.ts"
import { sendPage } from "./sendPage.ts"

const options = { right: "issue", section: "charges" } as const

const correct = (form: Form, problem: FieldProblem): Outcome => ({ correct: (view) => issuePage(view, form, problem) })

/** Issues the charge of a form, whose key is its id: the same form issues it once, in every process. */
const issue = async (view: ActionView, form: Form): Promise<Outcome> => {
  const order = readOrder(form, view.actionKey)
  if (!("id" in order)) return correct(form, order)
  try {
    const { id } = await view.as.issue(view.company, order)
    return { to: sendPath(id), notice: "chargeIssued" }
  } catch (error) {
    if (!isPixError(error, "DueDateOutOfRange")) throw error
    const text = issueTexts.dueDateRange(formats.day(error.earliest), formats.day(error.latest))
    return correct(form, { field: orderFields.dueDate, text })
  }
}

/** Issuing a charge, and sending it to its payer. */
export const issueRoutes: ReadonlyArray<PortalRoute> = [
  page(newChargePath, options, (view) => issuePage(view)),
  action(newChargePath, options, issue),
  page("/cobrancas/:id/enviar", { section: "charges" }, (view) => sendPage(view, view.params.id), {
    everyMs: 2_000,
    look: ({ pix, company, params }) => pix.find(company, params.id),
  }),
]
