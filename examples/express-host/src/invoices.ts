import type { ChargeRequestInput, Pix } from "@pixcharge/embed"
import type { RequestHandler } from "express"
import { randomUUID } from "node:crypto"

/** An invoice of a wholesale customer. */
interface Invoice {
  /** A UUID that the caller keeps: the same id twice is the same charge. */
  readonly id: string
  readonly number: string
  readonly amountCents: number
  /** `YYYY-MM-DD`. */
  readonly dueDate: string
  readonly customer: ChargeRequestInput["payer"]
}

/** Two invoices, due in ninety days: the sandbox can be weeks ahead. */
export const sampleInvoices = (): ReadonlyArray<Invoice> => {
  const dueDate = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
  const address = { street: "Rua da Aurora, 100, Boa Vista", city: "Recife", state: "PE", postalCode: "50050-000" }
  const customers = [
    { name: "Padaria Aurora", taxId: "11.222.333/0001-81", email: "contas@aurora.example", address },
    { name: "Ana Souza", taxId: "529.982.247-25" },
  ]
  return customers.map((customer, index) => ({
    id: randomUUID(),
    number: `2027-${index + 1}`,
    amountCents: 90_000,
    dueDate,
    customer,
  }))
}

/** Marks the charges of invoices. Their goods were already delivered. */
export const invoiceMetadata = { kind: "invoice" }

const toRequest = ({ id, number, amountCents, dueDate, customer }: Invoice): ChargeRequestInput => ({
  id,
  amountCents,
  dueDate,
  payer: customer,
  reference: `fatura-${number}`,
  metadata: invoiceMetadata,
  // Wholesale has its own terms, in place of the registration's. Five days early, the customer pays 2 % less.
  fees: {
    fine: { kind: "percent", basisPoints: 200 },
    interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
    discount: { kind: "percentUntil", tiers: [{ daysBefore: 5, basisPoints: 200 }] },
  },
  graceDays: 30,
})

/**
 * Issues the invoices of a month. Returns a line of JSON for each, once it is issued or refused. If the connection
 * breaks, the caller sends the same invoices again.
 */
export const issueInvoices =
  (pix: Pix, cnpj: string): RequestHandler =>
  async (request, response) => {
    const invoices: ReadonlyArray<Invoice> = Array.isArray(request.body) ? request.body : []
    response.type("application/x-ndjson")
    const results = pix.by("operator").issueMany(cnpj, invoices.map(toRequest))
    for await (const { request: asked, charge, error, done, failed } of results) {
      const result = charge ? { link: await pix.checkout.link(cnpj, charge.id) } : { refused: error?.message }
      response.write(`${JSON.stringify({ id: asked.id, ...result, done, failed })}\n`)
    }
    response.end()
  }
