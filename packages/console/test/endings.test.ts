import { factKinds } from "@pixcharge/core/charges"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { company, type RunningConsole, startConsole, until } from "./startConsole.ts"

let host: RunningConsole
beforeAll(async () => {
  host = await startConsole({ sandbox: { events: factKinds, frozenAt: Date.UTC(2027, 2, 1, 15) } })
})
afterAll(() => host.close())

const issue = async () => (await host.pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })).id

/** The page of a charge's event of this kind, once the console's receiver has it. */
const eventPage = async (chargeId: string, kind: string): Promise<string> => {
  let page = ""
  await until(async () => {
    const { items } = await host.pix.events.list(company.cnpj, { chargeId, status: "delivered" })
    const found = items.find(({ event }) => event.kind === kind)
    if (found) page = await host.page(`console/events/${found.event.id}`)
    return found !== undefined
  })
  return page
}

it("shows the events of a charge that expires, is cancelled, returned in part or paid twice, as received", async () => {
  const [expired, cancelled, twice] = [await issue(), await issue(), await issue()]
  await host.act(`console/charges/${cancelled}/cancel`, {}, `console/charges/${cancelled}`)
  await host.act(`console/charges/${twice}/pay`, { outcome: "paidTwice", amount: "19,90" }, `console/charges/${twice}`)
  const part = { amount: "5", key: randomUUID() }
  await host.act(`console/charges/${twice}/refund-part`, part, `console/charges/${twice}`)
  await host.act("console/clock", { by: "1 hour" }, "console/events")
  for (const [id, kind, tipo] of [
    [expired, "expired", "pix.expirado"],
    [cancelled, "cancelled", "pix.cancelado"],
    [twice, "part-refunded", "pix.estorno.parcial"],
    [twice, "exception", "pix.pagamento.sem-cobranca"],
  ] as const) {
    const page = await eventPage(id, kind)
    expect(page).toContain(`console/charges/${id}`)
    expect(page).toContain("Its signature is valid and recent.")
    expect(page).toContain(`&quot;tipo&quot;:&quot;${tipo}&quot;`)
  }
  expect(await eventPage(twice, "exception")).toContain("R$ 19.90")
})
