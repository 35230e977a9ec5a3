import { expect, it, onTestFinished } from "vitest"
import { startControls } from "../../src/bin/startControls.ts"
import { brasilia, monthly, openBank, shop } from "./openBank.ts"

const open = async () => {
  const opened = await openBank()
  const controls = await startControls(opened.bank, shop.cnpj, {}, 0)
  onTestFinished(() => controls.close())
  const command = async (path: string, method = "POST") => {
    const response = await fetch(`${controls.url}/${path}`, { method })
    return [response.status, await response.json()] as const
  }
  const idRec = await opened.offer()
  return { ...opened, command, idRec }
}

const webhook = "none is registered: call registerWebhook"

it("approves the last recurrence for its payer, and debits the next due day before the clock reaches it", async () => {
  const { idRec, command, charge } = await open()
  expect(await command("approve")).toEqual([200, { idRec, contract: "c1", status: "APROVADA", webhook }])
  expect(await command("approve")).toEqual([400, { error: `the recurrence ${idRec} is APROVADA` }])
  const { txid } = await charge(idRec, "2026-12-10")
  const [status, done] = await command("day")
  expect([status, done]).toMatchObject([200, { day: "2026-12-10", debits: [{ txid, amountCents: 4_990 }] }])
  const attempts = [{ on: "2026-12-10", status: "PAGA" }]
  expect(await command("", "GET")).toMatchObject([
    200,
    {
      recurrences: [{ idRec, status: "APROVADA" }],
      cycles: [{ txid, idRec, dueDate: "2026-12-10", amountCents: 4_990, status: "CONCLUIDA", attempts }],
    },
  ])
})

it.each([
  ["decline", "REJEITADA"],
  ["cancel", "CANCELADA"],
  ["expire", "EXPIRADA"],
])("ends the recurrence with the given contract by /%s", async (path, ended) => {
  const { offer, idRec, command } = await open()
  await offer({ ...monthly, vinculo: { ...monthly.vinculo, contrato: "c2" } })
  expect(await command(`${path}?recurrence=c1`)).toEqual([200, { idRec, contract: "c1", status: ended, webhook }])
  expect(await command(`${path}?recurrence=${idRec}`)).toEqual([400, { error: `the recurrence ${idRec} is ${ended}` }])
})

it("rejects an amount above the payer's maximum, and doesn't debit an amount above the balance", async () => {
  const { idRec, command, charge, look, setTime } = await open()
  await command("approve")
  expect(await command("maximum")).toEqual([400, { error: "which maximum? /maximum?amountCents=<n>" }])
  expect(await command("maximum?amountCents=4989")).toMatchObject([200, { maximumCents: 4_989 }])
  const above = await charge(idRec, "2026-12-10")
  expect(await look(above.txid)).toEqual(["ATIVA", "AGND 2026-12-10 AM02"])
  await command("maximum?amountCents=4990")
  setTime(brasilia("2027-01-04"))
  const poor = await charge(idRec, "2027-01-10")
  expect(await command("balance?amountCents=0")).toMatchObject([200, { idRec }])
  expect(await command("day?date=2027-01-11")).toMatchObject([200, { debits: [] }])
  expect(await look(poor.txid)).toEqual(["ATIVA", "AGND 2027-01-11 EXPIRADA"])
  await command("balance")
  expect(await command("balance?amountCents=-1")).toMatchObject([
    400,
    { error: expect.stringContaining("amountCents") },
  ])
})
