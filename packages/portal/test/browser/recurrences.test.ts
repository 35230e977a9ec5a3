import { checkout } from "@pixcharge/checkout"
import { expectAccessible, expectInSight, keepPicture, looks, openPage } from "@pixcharge/verify/browser"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { payer, portalHost } from "./portalHost.ts"

const dayMs = 86_400_000

/** Makes an offered recurrence, and an approved recurrence whose first debit failed. */
const withRecurrences = async () => {
  const host = await portalHost({ recurrences: true, checkout: checkout({ url: "https://shop.example" }) })
  const { pix, cnpj } = host
  const offer = async (title: string) => {
    const { id } = await pix.recurrences.offer(cnpj, {
      id: randomUUID(),
      payer,
      title,
      period: "monthly",
      startDate: "2027-03-20",
      amountCents: 4_990,
      retries: "threeInSeven",
      journey: { by: "code" },
    })
    return id
  }
  const offered = await offer("Plano mensal")
  const approved = await offer("Clube do livro")
  await pix.recurrences.play(cnpj, approved, "approve")
  await pix.recurrences.playDebit(cnpj, approved, "noBalance")
  await pix.clock.advance(22 * dayMs)
  const { items } = await pix.recurrences.charges(cnpj, approved)
  return { ...host, list: `${host.home}/recorrencias`, offered, approved, charge: items[0]?.id ?? "" }
}

it.each(looks)(
  "renders every page of recurrences accessibly and without scrolling sideways: %s",
  async (name, options) => {
    const { list, offered, approved, charges, charge } = await withRecurrences()
    const page = await openPage(options)
    for (const [what, url] of [
      ["recurrences", list],
      ["recurrence-offered", `${list}/${offered}`],
      ["recurrence", `${list}/${approved}`],
      ["recurrence-end", `${list}/${approved}/encerrar`],
      ["recurrence-skip", `${list}/${approved}/pular`],
      ["cycle-charge", `${charges}/${charge}`],
      ["cycle-retry", `${charges}/${charge}/tentar`],
    ] as const) {
      await page.goto(url)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), what).toBe(true)
      await expectAccessible(page)
      await keepPicture(page, `portal-${what}-${name}`)
    }
  },
)

it("shows the first recurrences on a phone without scrolling", async () => {
  const { list } = await withRecurrences()
  await expectInSight(list, "tbody tr", 110)
})

it("retries a debit, skips cycles and ends the recurrence without a script", async () => {
  const { pix, cnpj, list, approved, charge } = await withRecurrences()
  const page = await openPage({ javaScript: false, phone: true })
  await page.goto(`${list}/${approved}`)
  await page.getByRole("link", { name: "Solicitar nova tentativa" }).click()
  await page.getByRole("button", { name: "Solicitar nova tentativa em 24/03/2027" }).click()
  await page.getByRole("status").getByText("Nova tentativa solicitada ao banco.").waitFor()
  expect((await pix.find(cnpj, charge)).debit?.retries).toEqual(["2027-03-24"])
  await page.goto(`${list}/${approved}`)
  await page.getByRole("link", { name: "Pular ciclos" }).click()
  await page.getByLabel("Último ciclo").selectOption("4, com vencimento em 20/06/2027")
  await page.getByRole("button", { name: "Pular ciclos" }).click()
  await page.getByRole("status").getByText("Ciclos pulados.").waitFor()
  expect((await pix.recurrences.find(cnpj, approved)).skipped).toEqual([[2, 4]])
  await page.getByRole("link", { name: "Encerrar recorrência" }).click()
  await page.getByRole("button", { name: "Encerrar a recorrência" }).click()
  await page.getByRole("status").getByText("Encerramento solicitado.").waitFor()
  expect((await pix.recurrences.find(cnpj, approved)).status).toMatch(/^end/)
})

it("shows the payer's decision on an open page", async () => {
  const { pix, cnpj, list, offered } = await withRecurrences()
  const page = await openPage()
  await page.goto(`${list}/${offered}`)
  await page.getByText("Aguardando autorização").first().waitFor()
  await pix.recurrences.play(cnpj, offered, "decline")
  await page.getByText("Recusada pelo pagador").waitFor()
  expect(await page.getByRole("link", { name: "Encerrar recorrência" }).count()).toBe(0)
})
