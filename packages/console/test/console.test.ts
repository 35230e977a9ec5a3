import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { company, type RunningConsole, startConsole, until } from "./startConsole.ts"

const unescapeHtml = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const readText = (page: string, id: string): string => {
  const [, text = ""] = new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</`).exec(page) ?? []
  return unescapeHtml(text)
}

let running: RunningConsole
beforeAll(async () => {
  running = await startConsole()
})
afterAll(() => running.close())

const issue = async (fields: Record<string, string> = {}, host: RunningConsole = running): Promise<string> => {
  const answer = await host.send("console/charges", {
    id: randomUUID(),
    amount: "19,90",
    kind: "immediate",
    minutes: "10",
    ...fields,
  })
  const location = answer.headers.get("location") ?? (await answer.text())
  const [, id = ""] = /charges\/([\da-f-]{36})$/.exec(location) ?? []
  expect(id, location).not.toBe("")
  return id
}

const fetchStatus = async (id: string): Promise<string> => (await running.pix.find(company.cnpj, id)).status

describe("the form that issues a charge", () => {
  it("issues an immediate charge, whose page shows its code", async () => {
    const own = { reference: "pedido-7 <i>", metadata: "turma: 5B\nhora: 12:30" }
    const texts = { messageToPayer: "Pedido 7", additionalInfo: "Pedido: 7\nLoja: Centro", ...own }
    const id = await issue({ minutes: "30", ...texts })
    const charge = await running.pix.find(company.cnpj, id)
    expect(charge).toMatchObject({
      amountCents: 1_990,
      messageToPayer: "Pedido 7",
      additionalInfo: [
        { name: "Pedido", value: "7" },
        { name: "Loja", value: "Centro" },
      ],
      reference: "pedido-7 <i>",
      metadata: { turma: "5B", hora: "12:30" },
    })
    expect(charge.payableUntil - charge.createdAt).toBe(1_800_000)
    const page = await running.page(`console/charges/${id}`)
    expect(page).toContain("<svg")
    expect(page).toMatch(/Reference<\/dt>\s*<dd>pedido-7 &lt;i&gt;/)
    expect(page).toMatch(/Metadata<\/dt>\s*<dd>turma: 5B<br \/>hora: 12:30/)
    expect(readText(page, "payload")).toBe(charge.brCode)
  })

  it("issues a charge with due date, payer and fees, which grow with the clock", async () => {
    const host = await startConsole({ sandbox: { frozenAt: Date.UTC(2027, 2, 1, 15) } })
    try {
      const fields = {
        kind: "dueDate",
        dueDate: "2027-03-08",
        fine: "2",
        interest: "1",
        payerName: "Ana",
        payerTaxId: "529.982.247-25",
      }
      const id = await issue({ amount: "100", ...fields }, host)
      expect(await host.pix.find(company.cnpj, id)).toMatchObject({
        dueDate: "2027-03-08",
        payer: { name: "Ana", taxId: "52998224725" },
        fees: { fine: { basisPoints: 200 }, interest: { basisPoints: 100 } },
      })
      const path = `console/charges/${id}`
      expect(await host.page(path)).toMatch(/Due today<\/dt>\s*<dd class="money"><strong>R\$ 100\.00/)
      const dayAfter = await host.act("console/clock", { charge: id, to: "pastDue" }, path)
      expect(dayAfter).toMatch(/Fine<\/dt>\s*<dd class="money">\+ R\$ 2\.00/)
      expect(dayAfter).toMatch(/Due today<\/dt>\s*<dd class="money"><strong>R\$ 102\.03/)
      const nextDay = await host.act("console/clock", { charge: id, to: "pastDue" }, path)
      expect(nextDay).toMatch(/<strong>R\$ 102\.06/)
      const paid = await host.act(`${path}/pay`, { outcome: "approved" }, path)
      expect(paid).toContain("The payer paid.")
      expect(await host.pix.find(company.cnpj, id)).toMatchObject({
        payment: { amountCents: 10_206, otherAmount: false },
      })
    } finally {
      await host.close()
    }
  })

  it("issues a due-date charge with its own days to pay, and its payer's e-mail and address", async () => {
    const dueDate = new Date(running.pix.clock.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const given = {
      graceDays: "12",
      payerName: "Ana",
      payerTaxId: "529.982.247-25",
      email: "ana@example.com",
      street: "Rua A, 1",
      city: "Recife",
      state: "PE",
      postalCode: "50010-000",
    }
    const id = await issue({ kind: "dueDate", dueDate, fine: "2", ...given })
    const address = { street: "Rua A, 1", city: "Recife", state: "PE", postalCode: "50010000" }
    expect(await running.pix.find(company.cnpj, id)).toMatchObject({
      requested: { graceDays: 12, fees: { interest: "none" } },
      payer: { name: "Ana", email: "ana@example.com", address },
    })
    expect(await running.page(`console/charges/${id}`)).toContain("<br />Rua A, 1, Recife, PE, 50010000")
    const shown = JSON.parse(readText(await running.page(`console/charges/${id}`), "charge-json")) as object
    expect(shown).toMatchObject({ requested: { graceDays: 12 }, payer: { address } })
    // The form's hidden fields are sent, too.
    await issue({ kind: "immediate", dueDate, ...given })
  })

  it("explains a problem, and keeps its values", async () => {
    const answer = await running.send("console/charges", {
      id: randomUUID(),
      amount: "1,999",
      kind: "immediate",
      messageToPayer: "<b>",
    })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toContain("The amount must be an amount in reais, like 19.90.")
    expect(page).toContain('value="1,999"')
    expect(page).toContain('value="&lt;b&gt;"')
    const refused = await running.send("console/charges", {
      id: randomUUID(),
      amount: "5",
      kind: "dueDate",
      dueDate: "2020-01-01",
    })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain("2020-01-01")
  })

  it("issues one charge even if it is sent twice", async () => {
    const id = randomUUID()
    for (const _ of [1, 2]) expect(await issue({ id })).toBe(id)
  })
})

describe("playing payer and bank", () => {
  const play = async (id: string, outcome: string, amount = ""): Promise<string> =>
    running.act(`console/charges/${id}/pay`, { outcome, amount }, `console/charges/${id}`)

  it("pays with another amount, late and twice", async () => {
    const id = await issue()
    expect(await play(id, "approved", "25")).toContain("another amount")
    expect(await running.pix.find(company.cnpj, id)).toMatchObject({
      payment: { amountCents: 2_500, otherAmount: true },
    })
    const late = await issue()
    await play(late, "paidLate")
    expect(await running.page(`console/charges/${late}`)).toContain(">late<")
    const twice = await issue()
    await play(twice, "paidTwice")
    const exceptions = []
    for await (const { payment } of running.pix.exceptions.list(company.cnpj)) exceptions.push(payment.chargeId)
    expect(exceptions).toContain(twice)
  })

  it("declines a payment, loses its notice and loses its answer", async () => {
    const declined = await issue()
    expect(await play(declined, "declined")).toContain("SimulationDeclined")
    expect(await fetchStatus(declined)).toBe("pending")
    const lost = await issue()
    await play(lost, "noticeLost")
    expect(await fetchStatus(lost)).toBe("pending")
    const unanswered = await issue()
    expect(await play(unanswered, "timesOut")).toContain("ProcessorUnavailable")
    await running.act("console/clock", { by: "10 minutes" })
    await until(async () => (await fetchStatus(lost)) === "paid" && (await fetchStatus(unanswered)) === "paid")
  })

  it("returns a part and the rest, and cancels an unpaid charge", async () => {
    const id = await issue()
    const path = `console/charges/${id}`
    await play(id, "approved")
    const key = randomUUID()
    for (const _ of [1, 2]) await running.act(`${path}/refund-part`, { amount: "5", key }, path)
    expect(await running.pix.find(company.cnpj, id)).toMatchObject({ status: "paid", refundableCents: 1_490 })
    expect(await running.act(`${path}/refund`, {}, path)).toContain("ChargePartlyReturned")
    const whole = await issue()
    await play(whole, "approved")
    await running.act(`console/charges/${whole}/refund`, {}, `console/charges/${whole}`)
    expect(await fetchStatus(whole)).toBe("refunded")
    const gone = await issue()
    await running.act(`console/charges/${gone}/cancel`, {}, `console/charges/${gone}`)
    expect(await fetchStatus(gone)).toBe("cancelled")
  })

  it("changes an open charge once, and shows all of its terms", async () => {
    const id = await issue()
    const path = `console/charges/${id}`
    expect(await running.page(path)).not.toContain("All terms")
    const key = randomUUID()
    for (const _ of [1, 2]) {
      const page = await running.act(`${path}/change`, { amount: "14,90", minutes: "30", key }, path)
      expect(page).toContain("The charge has its terms 2")
      expect(page).toMatch(/R\$ 19\.90<\/span>, payable until [^<]*:\s*replaced/)
      expect(page).toMatch(/R\$ 14\.90<\/span>, payable until [^<]*:\s*in force/)
    }
    const charge = await running.pix.find(company.cnpj, id)
    expect([charge.amountCents, charge.payableUntil - charge.createdAt]).toEqual([1_490, 1_800_000])
    expect(await running.act(`${path}/change`, { amount: "", key: "a b" }, path)).toContain("InvalidChargeChange")
    await play(id, "approved")
    expect(await running.page(path)).not.toContain("do-change")
    expect(await running.act(`${path}/change`, { amount: "5", key: randomUUID() }, path)).toContain("ChargeAlreadyPaid")
  })

  it("pays an expired charge", async () => {
    const id = await issue()
    const path = `console/charges/${id}`
    expect(await running.act("console/clock", { charge: id, to: "expiry" }, path)).toContain(">expired<")
    await play(id, "approved")
    expect(await fetchStatus(id)).toBe("paid")
  })
})

describe("events", () => {
  const findEvent = async (id: string): Promise<string> => {
    let found: string | undefined
    await until(async () => {
      const { items } = await running.pix.events.list(company.cnpj, { chargeId: id })
      found = items.find(({ attempts }) => attempts > 0)?.event.id
      return found !== undefined
    })
    return found ?? ""
  }
  const paidCharge = async (): Promise<string> => {
    const id = await issue()
    await running.pix.simulatePayment(company.cnpj, id)
    return id
  }

  it("shows an event as received, with the result of the signature's check", async () => {
    const id = await paidCharge()
    const page = unescapeHtml(await running.page(`console/events/${await findEvent(id)}`))
    expect(page).toContain("Its signature is valid and recent.")
    expect(page).toMatch(/webhook-id: evt_\w+_paid/)
    expect(page).toMatch(/webhook-signature: v1,[\w+/=]+/)
    expect(page).toMatch(/\{"id":"evt_\w+_paid","tipo":"pix\.pago"/)
    expect(page).toContain(`"idFaturaPag":"${id}"`)
  })

  it("rejects an event with an invalid signature", async () => {
    const headers = { "webhook-id": "evt_forged", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" }
    const answer = await fetch(`${running.url}/console/receiver`, { method: "POST", headers, body: "{}" })
    expect(answer.status).toBe(401)
  })

  it("sends an event again after a failure of the receiver, and when the developer resends it", async () => {
    await running.act("console/switch", { failing: "yes" }, "console/events")
    const id = await paidCharge()
    const eventId = await findEvent(id)
    expect(await running.page(`console/events/${eventId}`)).toContain("HTTP 500")
    await running.act("console/switch", { failing: "no" }, "console/events")
    await running.act("console/clock", { by: "10 minutes" }, "console/events")
    const delivery = async () => (await running.pix.events.list(company.cnpj, { chargeId: id })).items[0]
    await until(async () => (await delivery())?.status === "delivered")
    expect(
      (await running.pix.events.attempts(company.cnpj, eventId, (await delivery())?.endpointId ?? "")).length,
    ).toBe(2)
    expect(await running.act(`console/events/${eventId}/resend`, {}, `console/events/${eventId}`)).toContain(
      "The event is sent again",
    )
    await until(
      async () =>
        (await running.page(`console/events/${eventId}`)).split("As the receiver got it")[1]!.split("webhook-id")
          .length === 4,
    )
  })

  it("sends a test event when the developer requests it", async () => {
    expect(await running.act("console/ping", {}, "console/events")).toContain("A test event is on its way.")
    await until(async () => (await running.page("console/events")).includes(">test<"))
  })
})

describe("calls", () => {
  it("shows commands that issue, pay and refund a charge, and lists their calls without secrets", async () => {
    const id = await issue()
    const commands = readText(await running.page(`console/charges/${id}`), "curl")
    const { stdout: output } = await promisify(execFile)("bash", ["-c", commands])
    expect(output).toContain('"retUrl":"000201')
    expect(output).toContain("HTTP/1.1 410")
    expect(output).toContain("Estorno realizado com sucesso.")
    expect(await fetchStatus(id)).toBe("refunded")

    const list = await running.page("console/calls")
    expect(list).toContain("POST /api/pix/simular-pagamento/")
    const numbers = [...list.matchAll(/console\/calls\/(\d+)/g)].map(([, number]) => number)
    const pages = await Promise.all(numbers.map((number) => running.page(`console/calls/${number}`)))
    const all = unescapeHtml(pages.join("\n"))
    expect(all).toContain('"valorPagamento": 19.9')
    expect(all).toContain("authorization: Bearer •••")
    expect(all).not.toContain(company.integratorKey)
    expect(all).not.toMatch(/eyJ[\w-]+\.[\w-]+/)
    expect(await running.page("console/calls?failed=yes")).not.toContain("POST /api/token")
    expect(await running.page("console/calls?q=estorno")).toContain("DELETE /api/pix/")
    expect(await running.page("console/calls?q=estorno")).not.toContain("POST /api/pix")
  })

  it("lists calls without the secret in their path, and clears the list", async () => {
    const secret = Buffer.from(`${company.cnpj}|${company.integratorKey}`).toString("base64url")
    expect((await fetch(`${running.url}/api/token/${secret}`)).status).toBe(200)
    expect(await running.page("console/calls")).toContain("GET /api/token/•••")
    expect(await running.page("console/calls")).not.toContain(secret)
    expect(await running.act("console/forget", {}, "console/calls")).toContain("No such call yet.")
  })

  it("reports a call to an open page", async () => {
    const controller = new AbortController()
    const stream = await fetch(`${running.url}/console/live`, { signal: controller.signal })
    expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/)
    expect(stream.headers.get("access-control-allow-origin")).toBeNull()
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = ""
    const reading = (async () => {
      while (!received.includes("data: GET /api/pix/unknown: 401")) received += (await reader.read()).value ?? ""
    })()
    await fetch(`${running.url}/api/pix/unknown`)
    await reading
    controller.abort()
  })

  it("doesn't list requests for the host's paths", async () => {
    expect((await fetch(`${running.url}/orders`)).status).toBe(404)
    expect(await running.page("console/calls")).not.toContain("/orders")
  })
})

describe("a console", () => {
  it.each([
    ["hono", "/pix"],
    ["express", ""],
    ["express", "/shop/payments"],
  ] as const)("works in %s under the prefix %j", async (binding, prefix) => {
    const host = await startConsole({ binding, prefix })
    try {
      const id = await issue({}, host)
      expect(await host.act(`console/charges/${id}/pay`, { outcome: "approved" }, `console/charges/${id}`)).toContain(
        ">paid<",
      )
      const page = await host.page(`console/charges/${id}`)
      expect(unescapeHtml(page)).toContain(`curl -s ${host.url}/api/token`)
      const [, stylesheet = ""] = /href="([^"]*console-\w+\.css)"/.exec(page) ?? []
      expect((await fetch(new URL(stylesheet, `${host.url}/console/charges/${id}`))).status).toBe(200)
      await until(async () => (await host.page("console/events")).includes(">delivered<"))
    } finally {
      await host.close()
    }
  })

  it("answers 404 for missing items, and 405 for a wrong method", async () => {
    for (const path of [
      `console/charges/${randomUUID()}`,
      "console/charges/7",
      "console/calls/99999",
      "console/events/evt_none",
    ]) {
      expect((await fetch(`${running.url}/${path}`)).status, path).toBe(404)
    }
    expect((await fetch(`${running.url}/console/seed`)).status).toBe(405)
  })
})

describe("the list of charges", () => {
  it("shows 20 charges on a page, links to older and newest charges, and filters by status", async () => {
    const host = await startConsole()
    for (let index = 0; index < 21; index++)
      await host.pix.issue(company.cnpj, { id: randomUUID(), amountCents: 100 + index })
    const paid = randomUUID()
    await host.pix.issue(company.cnpj, { id: paid, amountCents: 123_456 })
    await host.pix.simulatePayment(company.cnpj, paid)
    const rows = (html: string) => html.match(/console\/charges\/[\da-f-]{36}"/g)?.length
    const first = await host.page("")
    expect([rows(first), first.includes("R$ 1,234.56")]).toEqual([20, true])
    const [, older = ""] = /href="\.\/(\?cursor=[^"]+)">Older/.exec(first) ?? []
    const second = await host.page(older)
    expect([rows(second), second.includes(">Newest<"), second.includes(">Older<")]).toEqual([2, true, false])
    expect(rows(await host.page("?status=paid"))).toBe(1)
    expect(rows(await host.page("?cursor=none"))).toBe(20)
    await host.close()
  })
})

it.each([
  ["1.234,56", 123_456],
  ["1.234", 123_400],
  ["R$ 1,234.56", 123_456],
  ["12,5", 1_250],
  ["12.50", 1_250],
])("accepts the amount %s", async (amount, amountCents) => {
  const host = await startConsole()
  const id = randomUUID()
  await host.act("console/charges", { id, amount, kind: "immediate", minutes: "10" }, "")
  expect((await host.pix.find(company.cnpj, id)).amountCents).toBe(amountCents)
  await host.close()
})
