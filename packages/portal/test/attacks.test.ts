import { randomUUID } from "node:crypto"
import { expect, it, onTestFinished, vi } from "vitest"
import { portal } from "../src/index.ts"
import { makeOperator } from "./support/Operator.ts"
import { crowdedStore } from "./support/faults.ts"
import { serveApp } from "./support/mounts.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

/** Records unhandled rejections, which would end a Node process. */
const watchRejections = () => {
  const unhandled = vi.fn<(error: unknown) => void>()
  process.on("unhandledRejection", unhandled)
  onTestFinished(() => void process.off("unhandledRejection", unhandled))
  return unhandled
}

it("answers 503 if two parts of a page fail, without ending the process", async () => {
  const unhandled = watchRejections()
  const { pix, app } = portalWorld()
  const ana = makeOperator(await serveApp("express", app), "ana")
  await ana.get("/")
  await pix.dispose()
  const notice = `aviso=refundDone.9000000000000000.${"x".repeat(40)}`
  for (const path of ["auditoria", "eventos", "excecoes", "pontos", "conciliacao", "pagadores", "cobrancas"]) {
    const { status, headers, text } = await ana.get(`/${shop}/${path}?${notice}`)
    expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"])
    expect(text).toContain("O serviço está sendo encerrado.")
  }
  expect(unhandled).not.toHaveBeenCalled()
})

it("answers a report above the company's limit with 503 and Retry-After", async () => {
  const { pix, app } = portalWorld({ store: crowdedStore() })
  await using _ = pix
  const ana = makeOperator(await serveApp("express", app), "ana")
  for (const path of ["", "/auditoria", "/eventos", "/excecoes", "/pontos", "/conciliacao", "/cobrancas"]) {
    const { status, headers, text } = await ana.get(`/${shop}${path}`)
    expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"])
    expect(text).toContain("Muitas consultas ao mesmo tempo")
  }
})

it("shows markup in a payer's name and texts as text, without running its scripts", async () => {
  const evil = `"><img src=x onerror=alert(1)>'`
  const { pix, app } = portalWorld()
  await using _ = pix
  const { id } = await pix.issue(shop, {
    id: randomUUID(),
    amountCents: 1_990,
    payer: { name: evil, taxId: "52998224725" },
    messageToPayer: evil,
    additionalInfo: [{ name: evil, value: evil }],
  })
  await pix.simulatePayment(shop, id)
  const ana = makeOperator(await serveApp("express", app), "ana")
  const charge = `/${shop}/cobrancas/${id}`
  const form = (await ana.get(charge)).form("/pagador")
  const shown = await ana.send(form)
  expect(shown.text).toContain(evil)
  const pages = await Promise.all(
    [charge, `${charge}/devolver?valor=tudo`, `/${shop}/cobrancas`, `/${shop}/eventos`].map((path) => ana.get(path)),
  )
  const found = await ana.post(`/${shop}/cobrancas`, { ...form.fields, busca: evil })
  const searches = ["busca", "cursor", "valor", "nome", "quem", "cobranca", "ponto", "dia", "de"].flatMap((name) =>
    ["/cobrancas", "/eventos", "/eventos/reenviar", "/auditoria", "/conciliacao", `/cobrancas/${id}/devolver`].map(
      (path) => ana.get(`/${shop}${path}?${name}=${encodeURIComponent(evil)}`),
    ),
  )
  for (const { html, headers } of [shown, found, ...pages, ...(await Promise.all(searches))]) {
    expect(html).not.toContain("<img")
    expect(html).not.toMatch(/ (?:style|on\w+)="/)
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  }
})

it("answers 500 without details if `authorize` throws or rejects, without ending the process", async () => {
  const unhandled = watchRejections()
  const { pix } = portalWorld()
  await using _ = pix
  const failures: ReadonlyArray<() => never> = [
    () => {
      throw new Error("redis://user:password@host")
    },
    () => Promise.reject(undefined) as never,
    () =>
      ({
        get who() {
          throw new Error("redis://user:password@host")
        },
      }) as never,
  ]
  for (const authorize of failures) {
    const ana = makeOperator(await serveApp("express", portal(pix, { authorize })), "ana")
    for (const answer of [await ana.get(`/${shop}`), await ana.post(`/${shop}/pagadores/apagados`, {})]) {
      expect(answer.status).toBe(500)
      expect(answer.html).not.toContain("redis")
    }
  }
  expect(unhandled).not.toHaveBeenCalled()
})
