import type { ChargeRequestInput } from "@pixcharge/core/charges"
import type { Form } from "@pixcharge/web"
import { toUuid } from "../seed/monthPlan.ts"
import { type Action, formProblem, readLines, requireAmount } from "./act.ts"
import { hash } from "node:crypto"

const readRequests = ({ batch = "", lines, dueDate }: Form): ReadonlyArray<ChargeRequestInput> =>
  readLines(lines).map(({ name, value }) => ({
    id: toUuid(hash("sha256", `${batch}/${name}`)),
    amountCents: requireAmount(value, `The amount of ${name}`),
    dueDate,
    reference: name,
  }))

const maxShown = 5

export const issueMany: Action = async ({ pix, company, feed }, { form }) => {
  const requests = readRequests(form)
  if (requests.length === 0) throw formProblem("There are no lines.")
  const refusals: Array<string> = []
  let issued = 0
  for await (const { request, error, done } of pix.issueMany(company.cnpj, requests)) {
    if (error === undefined) issued++
    else refusals.push(`${request.reference}: ${error.message}`)
    if (done % 100 === 0) feed.send(`${done} of ${requests.length} charges are done`)
  }
  feed.send("Charges were issued")
  const refused = refusals.length === 0 ? "" : ` Refused: ${refusals.slice(0, maxShown).join(" ")}`
  return {
    tone: refused === "" ? "good" : "warn",
    text: `${issued} of ${requests.length} charges were issued.${refused}`,
  }
}
