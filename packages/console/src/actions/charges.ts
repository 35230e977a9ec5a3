import { type PlayOutcome, playOutcomes, type Reply } from "@pixcharge/core"
import type { ChargeFeesInput, ChargePayerInput, ChargeRequestInput } from "@pixcharge/core/charges"
import { isPixError } from "@pixcharge/embed"
import { type Form, type PageRequest, redirectReply } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { homePage } from "../pages/homePage.ts"
import { type Action, formProblem, readAmount, readLines, refusedForm, requireAmount } from "./act.ts"

const percent = /^(\d{1,4})(?:[.,](\d{1,2}))?$/

const readPercent = (text: string | undefined, field: string): number | undefined => {
  const written = (text ?? "").trim()
  if (written === "" || Number(written.replace(",", ".")) === 0) return undefined
  const [, whole = "", hundredths = ""] = percent.exec(written) ?? []
  if (whole === "") throw formProblem(`${field} must be a percentage with two decimals at most, like 2 or 0.5.`)
  return Number(whole) * 100 + Number(hundredths.padEnd(2, "0"))
}

/** The form shows the registration's fees: an empty field waives its part. */
const readFees = (form: Form): ChargeFeesInput => {
  const fine = readPercent(form["fine"], "The fine")
  const interest = readPercent(form["interest"], "The interest")
  const discount = readAmount(form["discount"], "The discount")
  return {
    fine: fine === undefined ? "none" : { kind: "percent", basisPoints: fine },
    interest: interest === undefined ? "none" : { kind: "percentPerMonth", days: "calendar", basisPoints: interest },
    discount:
      discount === undefined ? "none" : { kind: "fixedUntil", tiers: [{ daysBefore: 1, amountCents: discount }] },
  }
}

const text = (form: Form, name: string): string | undefined => form[name]?.trim() || undefined

const readMetadata = (form: Form): Readonly<Record<string, string>> =>
  Object.fromEntries(readLines(form["metadata"]).map(({ name, value }) => [name, value]))

/** The terms that only a due-date charge can have. */
const readDueTerms = (form: Form): Pick<ChargeRequestInput, "fees" | "graceDays"> => {
  const graceDays = text(form, "graceDays")
  return { fees: readFees(form), graceDays: graceDays === undefined ? undefined : Number(graceDays) }
}

const readContact = (form: Form): Pick<ChargePayerInput, "email" | "address"> => {
  const [street = "", city = "", state = "", postalCode = ""] = ["street", "city", "state", "postalCode"].map((name) =>
    text(form, name),
  )
  const hasAddress = street + city + state + postalCode !== ""
  return { email: text(form, "email"), address: hasAddress ? { street, city, state, postalCode } : undefined }
}

const readRequest = (form: Form): ChargeRequestInput => {
  const amountCents = requireAmount(form["amount"], "The amount")
  const name = text(form, "payerName")
  const taxId = text(form, "payerTaxId")
  const dueDate = form["kind"] === "dueDate" ? text(form, "dueDate") : undefined
  if (form["kind"] === "dueDate" && dueDate === undefined) throw formProblem("The due date is missing.")
  const contact = dueDate === undefined ? {} : readContact(form)
  const hasPayer = [name, taxId, contact.email, contact.address].some((part) => part !== undefined)
  return {
    id: form["id"] ?? "",
    amountCents,
    dueDate,
    payer: hasPayer ? { name: name ?? "", taxId: taxId ?? "", ...contact } : undefined,
    payableForSeconds: dueDate === undefined ? Number(text(form, "minutes") ?? 10) * 60 : undefined,
    messageToPayer: text(form, "messageToPayer"),
    additionalInfo: readLines(form["additionalInfo"]),
    reference: text(form, "reference"),
    metadata: readMetadata(form),
    ...(dueDate !== undefined && readDueTerms(form)),
  }
}

/** If issuing fails, shows the form with its values and the problem. */
export const issueCharge = async (
  context: ConsoleContext,
  request: PageRequest<"/console/charges">,
): Promise<Reply> => {
  const form = await request.form()
  const refused = await refusedForm(context, request, form)
  if (refused !== undefined) return refused
  try {
    const { id } = await context.pix.issue(context.company.cnpj, readRequest(form))
    context.feed.send("A charge was issued")
    return redirectReply(`${request.root}console/charges/${id}`)
  } catch (error) {
    if (!isPixError(error)) throw error
    return homePage(context, request, { form, problem: error.message })
  }
}

export const refundCharge: Action = async ({ pix, company, feed }, { params: { id = "" } }) => {
  const { status } = await pix.refund(company.cnpj, id)
  feed.send("A charge was refunded")
  return { tone: "good", text: status === "refunded" ? "The payment was returned." : "The refund is under way." }
}

export const refundException: Action = async ({ pix, company, feed }, { params: { endToEndId = "" } }) => {
  const { status } = await pix.exceptions.refund(company.cnpj, endToEndId)
  feed.send("A payment without a charge was refunded")
  return { tone: "good", text: status === "returned" ? "The payment was returned." : "The refund is under way." }
}

export const keepException: Action = async ({ pix, company, feed }, { params: { endToEndId = "" } }) => {
  await pix.exceptions.resolve(company.cnpj, endToEndId, "kept in the console")
  feed.send("A payment without a charge was kept")
  return { tone: "good", text: "The payment is kept." }
}

/** Uses the form's key, so a form that is sent twice refunds once. */
export const refundPart: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const amountCents = readAmount(form["amount"], "The amount")
  if (amountCents === undefined) throw formProblem("The amount to return is missing.")
  await pix.refundPart(company.cnpj, id, { key: form["key"] ?? "", amountCents })
  feed.send("A part of a charge was refunded")
  return { tone: "good", text: "A part of the payment was returned." }
}

/** Uses the form's key, so a form that is sent twice is one change. Empty fields stay as they are. */
export const changeCharge: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const minutes = text(form, "minutes")
  const { number, isNewCode } = await pix.change(company.cnpj, id, {
    key: form["key"] ?? "",
    amountCents: readAmount(form["amount"], "The amount"),
    dueDate: text(form, "dueDate"),
    payableForSeconds: minutes === undefined ? undefined : Number(minutes) * 60,
  })
  feed.send("A charge was changed")
  const code = isNewCode ? ", and its payer needs the new code" : ""
  return { tone: "good", text: `The charge has its terms ${number}${code}.` }
}

export const cancelCharge: Action = async ({ pix, company, feed }, { params: { id = "" } }) => {
  await pix.cancel(company.cnpj, id)
  feed.send("A charge was cancelled")
  return { tone: "good", text: "The charge was cancelled." }
}

const outcomeTexts: Readonly<Record<PlayOutcome, string>> = {
  approved: "The payer paid.",
  declined: "The payer's bank declined the payment.",
  timesOut: "The payer paid, but the bank's answer was lost.",
  paidTwice: "The payer paid twice: the second payment is an exception.",
  paidLate: "The payer paid after the charge expired.",
  noticeLost: "The payer paid, but the notice was lost: move the clock to see a look-up find the payment.",
}

export const playPayment: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const outcome = playOutcomes.find((known) => known === form["outcome"])
  if (outcome === undefined) throw formProblem("Choose one of the offered ways to pay.")
  const amountCents = readAmount(form["amount"], "The amount")
  await pix.simulatePayment(company.cnpj, id, { outcome, ...(amountCents !== undefined && { amountCents }) })
  feed.send(outcomeTexts[outcome])
  return { tone: "good", text: outcomeTexts[outcome] }
}
