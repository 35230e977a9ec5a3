import { type PortalAccess, portal } from "@pixcharge/portal"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { expectAccessible, type Locator, openPage, serveApp } from "@pixcharge/verify/browser"
import { pass, stopClock } from "@pixcharge/verify/clock"
import { beforeEach, expect, it, onTestFinished } from "vitest"
import { portalHost } from "./portalHost.ts"

beforeEach(stopClock)

const passUntil = (shown: Locator, passMore: () => Promise<unknown> = () => pass(1)) =>
  expect
    .poll(async () => {
      await passMore()
      return shown.count()
    })
    .toBeGreaterThan(0)

const focused = () => document.activeElement?.getAttribute("href")?.split("/").at(-1)

it("updates a list, and keeps focus, selection and the input of a form", async () => {
  const host = await portalHost()
  const first = await host.issue(1_990)
  await host.pix.clock.advance("1 second")
  const second = await host.issue(2_990)
  await host.pix.clock.advance("1 second")
  const page = await openPage()
  await page.goto(host.charges)
  await page.getByLabel("Buscar").fill("joã")
  await page.locator(`a[href$="${first.id}"]`).focus()
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("caption") as Element))
  const selected = await page.evaluate(() => getSelection()?.toString().trim())
  const third = await host.issue(3_990)
  await passUntil(page.locator(`a[href$="${third.id}"]`))
  const ids = await page.locator("td a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))
  expect(ids.map((href) => href?.split("/").at(-1))).toEqual([third.id, second.id, first.id])
  expect(await page.evaluate(focused)).toBe(first.id)
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(selected)
  expect(await page.getByLabel("Buscar").inputValue()).toBe("joã")
  expect(await page.locator("main [aria-live], main [role=log], main [role=alert]").count()).toBe(0)
  await host.pix.pay(first.id)
  await passUntil(page.locator("tr", { has: page.locator(`a[href$="${first.id}"]`) }).getByText("Paga"))
  expect(await page.evaluate(focused)).toBe(first.id)
  expect(await page.getByLabel("Buscar").inputValue()).toBe("joã")
  await page.getByText("Esta página é atualizada automaticamente.").waitFor()
  await expectAccessible(page)
})

it("shows the payment of a charge, whose actions work after the update", async () => {
  const host = await portalHost()
  const { pix } = host
  const { id } = await host.issue(1_990)
  const page = await openPage()
  await page.goto(`${host.charges}/${id}`)
  await pix.by("rui").payers.show(host.cnpj, id)
  await passUntil(page.getByText("Dados do pagador consultados"))
  await page.getByRole("button", { name: "Copiar código" }).click()
  await page.getByText("Código copiado.").waitFor()
  await page.getByRole("link", { name: "Cancelar cobrança" }).focus()
  await pix.pay(id)
  await passUntil(page.getByRole("link", { name: "Devolver pagamento" }))
  // The focused link no longer exists, so the content has the focus.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main")
  await page.getByRole("button", { name: "Mostrar pagador" }).click()
  await page.getByText("João da Silva · 529.982.247-25").waitFor()
  // The page is the answer to a form. It doesn't update itself, because an update would hide the payer again.
  expect(await page.locator("#live").count()).toBe(0)
})

it("updates figures, and keeps them unfolded", async () => {
  const host = await portalHost()
  const { pix } = host
  const { id } = await host.issue(1_990)
  const page = await openPage()
  await page.goto(host.home)
  const summary = page.locator("main summary").first()
  await summary.click()
  await pix.pay(id)
  await passUntil(page.getByText("R$ 19,90"))
  expect(await page.locator("main details[open]").count()).toBe(1)
  expect(await page.evaluate(() => document.activeElement?.nodeName)).toBe("SUMMARY")
})

it("shows that a form is being sent", async () => {
  const host = await portalHost()
  const id = await host.paid(1_990)
  const page = await openPage()
  await page.goto(`${host.charges}/${id}/devolver?valor=5`)
  // The test can't read a page during a navigation, so a script in the page observes its form.
  await page.evaluate(() =>
    new MutationObserver(() => {
      const button = document.querySelector("form[aria-busy=true] button:disabled")
      if (button !== null) sessionStorage.setItem("busy", button.textContent ?? "")
    }).observe(document.body, { subtree: true, attributes: true }),
  )
  await page.getByRole("button", { name: "Devolver R$ 5,00" }).dblclick()
  await page.getByRole("status").getByText("Devolução concluída").waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem("busy"))).toBe("Enviando…")
  expect((await host.pix.find(host.cnpj, id)).refundableCents).toBe(1_490)
})

it("polls every ten seconds, and says so on the page, while the operator has too many open streams", async () => {
  const pix = testPix()
  onTestFinished(pix.dispose)
  const { cnpj } = pix.company
  const authorize = (): PortalAccess => ({ who: "ana", companies: [{ cnpj }], rights: ["read"] })
  const { origin } = await serveApp(portal(pix, { authorize }), { prefix: "/portal", binding: "express" })
  const address = `${origin}/portal/${cnpj}/cobrancas`
  const ending = new AbortController()
  const headers = { accept: "text/event-stream" }
  // Keeps the streams, because Node ends the stream of an unreferenced answer.
  const streams: Array<Response> = []
  onTestFinished(() => {
    ending.abort()
    streams.length = 0
  })
  while (streams.length < 20) streams.push(await fetch(address, { headers, signal: ending.signal }))
  const page = await openPage({ clock: pix.clock.now(), expected: [/^429 GET /] })
  await page.goto(address)
  await page.getByText("Esta página é atualizada a cada 10 segundos.").waitFor()
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  const renew = () => page.clock.fastForward("10")
  await passUntil(page.locator(`a[href$="${id}"]`), renew)
  ending.abort()
  await passUntil(page.getByText("Esta página é atualizada automaticamente."), renew)
  expect(await page.locator(`a[href$="${id}"]`).count()).toBe(1)
})

it("says that a page is no longer updated when its operator loses access", { tags: ["long"] }, async () => {
  const pix = testPix()
  onTestFinished(pix.dispose)
  const { cnpj } = pix.company
  let access: PortalAccess | undefined = { who: "ana", companies: [{ cnpj }], rights: ["read"] }
  const { origin } = await serveApp(portal(pix, { authorize: () => access }), { prefix: "/portal", binding: "express" })
  const page = await openPage({ expected: [/^403 GET /] })
  await page.goto(`${origin}/portal/${cnpj}/cobrancas`)
  await page.getByText("Esta página é atualizada automaticamente.").waitFor()
  access = undefined
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  await passUntil(page.getByText("Esta página não está mais sendo atualizada."))
  expect(await page.locator(`a[href$="${id}"]`).count()).toBe(0)
})
