import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { openTestShop } from "./openTestShop.ts"

const ana = { name: "Ana <Souza>", taxId: "529.982.247-25" }

const joinClub = async (shop: Awaited<ReturnType<typeof openTestShop>>) => {
  const { location } = await shop.post("/club", { id: randomUUID(), ...ana })
  return location
}

it("has a member once, who authorises and is charged each month", async () => {
  await using shop = await openTestShop()
  const [, id] = /name="id" value="([^"]+)"/.exec(await shop.show("/club")) ?? []
  const sent = await Promise.all([1, 2].map(() => shop.post("/club", { id, ...ana })))
  expect(sent.map(({ status, location }) => [status, location])).toEqual([1, 2].map(() => [303, `/club/${id}`]))
  const [, link = ""] = /href="(http[^"]+)"/.exec(await shop.show(`/club/${id}`)) ?? []
  expect(await (await fetch(link)).text()).toContain("000201")
  await shop.post(`/club/${id}/approve`)
  expect(await shop.show(`/club/${id}`)).toContain("Assinatura ativa")
  for (let week = 0; week < 3; week++) await shop.post(`/club/${id}/wait/week`)
  const page = await shop.show(`/club/${id}`)
  expect(page).toMatch(/<li>\d\d\/\d\d\/2027: pago<\/li>/)
  expect(page).toContain("Ana &lt;Souza&gt;")
})

it("shows the days of further attempts after a failed debit", async () => {
  await using shop = await openTestShop()
  const member = await joinClub(shop)
  await shop.post(`${member}/approve`)
  await shop.post(`${member}/no-balance`)
  const isRetried = async () => (await shop.show(member)).includes("sem saldo, nova tentativa em ")
  for (let days = 0; days < 20 && !(await isRetried()); days++) await shop.post(`${member}/wait/day`)
  await shop.pix.clock.advance("3 days")
  expect(await shop.show(member)).toContain(": pago")
})

it("pauses for two months, once even if the form is sent twice", async () => {
  await using shop = await openTestShop()
  const member = await joinClub(shop)
  await shop.post(`${member}/approve`)
  await Promise.all([1, 2].map(() => shop.post(`${member}/pause`)))
  expect(await shop.show(member)).toContain("Meses pulados: do 1º ao 2º")
  await shop.pix.clock.advance("55 days")
  expect(await shop.show(member)).not.toContain("<li>")
  await shop.pix.clock.advance("15 days")
  expect(await shop.show(member)).toContain("<li>15/05/2027: a debitar")
})

it("explains a wrong tax id, and answers 404 for a stranger", async () => {
  await using shop = await openTestShop()
  const { status, body } = await shop.post("/club", { id: randomUUID(), name: "Ana", taxId: "1" })
  expect([status, body]).toEqual([422, expect.stringContaining("Confira o nome e o CPF.")])
  for (const id of [randomUUID(), "x"]) expect((await fetch(`${shop.settings.url}/club/${id}`)).status, id).toBe(404)
})
