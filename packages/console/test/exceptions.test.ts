import { factKinds } from "@pixcharge/core/charges"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { company, type RunningConsole, startConsole } from "./startConsole.ts"

let host: RunningConsole
beforeAll(async () => {
  host = await startConsole({ sandbox: { events: factKinds } })
})
afterAll(() => host.close())

/** Pays a charge twice in the console. */
const payTwice = async () => {
  const { id } = await host.pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  const path = `console/charges/${id}`
  await host.act(`${path}/pay`, { outcome: "paidTwice", amount: "19,90" }, path)
  const page = await host.page(path)
  const [, endToEndId = ""] = /console\/exceptions\/(\w+)\/refund/.exec(page) ?? []
  return { id, path, page, endToEndId }
}

const readStatus = async (endToEndId: string) => (await host.pix.exceptions.find(company.cnpj, endToEndId)).status

it("shows a second payment on the charge's page, where the developer returns it or keeps it", async () => {
  const returned = await payTwice()
  expect(returned.page).toMatch(/A payment that settled no charge\s+<span[^>]*>open</)
  expect(returned.page).toContain("The charge was already paid.")
  const after = await host.act(`console/exceptions/${returned.endToEndId}/refund`, {}, returned.path)
  expect(after).toContain("The payment was returned.")
  expect(after).not.toContain(`${returned.endToEndId}/refund`)
  expect(await readStatus(returned.endToEndId)).toBe("returned")
  const kept = await payTwice()
  await host.act(`console/exceptions/${kept.endToEndId}/keep`, {}, kept.path)
  expect(await readStatus(kept.endToEndId)).toBe("resolved")
  expect(await host.act(`console/exceptions/${kept.endToEndId}/refund`, {}, kept.path)).toContain("ExceptionClosed")
})

it("offers the decision on the event's page, too", async () => {
  const { id, endToEndId } = await payTwice()
  const { items } = await host.pix.events.list(company.cnpj, { chargeId: id })
  const event = items.find(({ event: { kind } }) => kind === "exception")?.event
  expect(await host.page(`console/events/${event?.id}`)).toContain(`console/exceptions/${endToEndId}/keep`)
})

it("finds each payment by the endToEndId of a receipt, and a charge by its reference", async () => {
  const { id, endToEndId } = await payTwice()
  expect(await host.page(`?q=${endToEndId.toLowerCase()}`)).toContain(`console/exceptions/${endToEndId}/refund`)
  const charge = await host.pix.find(company.cnpj, id)
  const own = "payment" in charge ? charge.payment.endToEndId : ""
  const found = await host.page(`?q=${own}`)
  expect(found).toContain(`console/charges/${id}"`)
  expect(found).not.toContain("console/exceptions/")
  expect(await host.page("?q=E1803623620261130120012345678901")).toContain("No such charge.")
  const { id: named } = await host.pix.issue(company.cnpj, {
    id: randomUUID(),
    amountCents: 5,
    reference: "pedido 7/A",
  })
  expect(await host.page("?q=pedido 7/A")).toContain(`console/charges/${named}"`)
})
