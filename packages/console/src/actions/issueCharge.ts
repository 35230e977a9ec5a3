import type { Reply } from "@pixcharge/core"
import type { ChargeRequestInput } from "@pixcharge/core/charges"
import { isPixError } from "@pixcharge/embed"
import { type Form, type PageRequest, redirectReply } from "@pixcharge/web"
import { type ConsoleContext, registerWithFees } from "../ConsoleContext.ts"
import { homePage } from "../pages/homePage.ts"
import { refusedForm } from "./act.ts"
import { formProblem } from "./formProblem.ts"
import { requireAmount } from "./readAmount.ts"
import { readFees } from "./readFees.ts"

const text = (form: Form, name: string): string | undefined => form[name]?.trim() || undefined

/** `name: value` in each line. */
const readInfo = (lines: string | undefined) =>
  lines?.split(/\r?\n/).flatMap((line) => {
    const [name = "", ...value] = line.split(":")
    if (line.trim() === "") return []
    if (value.length === 0) throw formProblem("Each further line must be a name, a colon and a text.")
    return [{ name: name.trim(), value: value.join(":").trim() }]
  })

const readRequest = (form: Form): ChargeRequestInput => {
  const amountCents = requireAmount(form["amount"], "The amount")
  const name = text(form, "payerName")
  const taxId = text(form, "payerTaxId")
  const dueDate = form["kind"] === "dueDate" ? text(form, "dueDate") : undefined
  if (form["kind"] === "dueDate" && dueDate === undefined) throw formProblem("The due date is missing.")
  return {
    id: form["id"] ?? "",
    amountCents,
    dueDate,
    payer: name === undefined && taxId === undefined ? undefined : { name: name ?? "", taxId: taxId ?? "" },
    payableForSeconds: dueDate === undefined ? Number(text(form, "minutes") ?? 10) * 60 : undefined,
    messageToPayer: text(form, "messageToPayer"),
    additionalInfo: readInfo(text(form, "additionalInfo")),
  }
}

/** Issues the charge of the form, and shows it. A problem stands beside the form, which keeps its values. */
export const issueCharge = async (
  context: ConsoleContext,
  request: PageRequest<"/console/charges">,
): Promise<Reply> => {
  const form = await request.form()
  const refused = await refusedForm(context, request, form)
  if (refused !== undefined) return refused
  try {
    const wanted = readRequest(form)
    if (wanted.dueDate !== undefined) await registerWithFees(context, readFees(form))
    const { id } = await context.pix.issue(context.company.cnpj, wanted)
    context.feed.send("A charge was issued")
    return redirectReply(`${request.root}console/charges/${id}`)
  } catch (error) {
    if (!isPixError(error)) throw error
    return homePage(context, request, { form, problem: error.message })
  }
}
