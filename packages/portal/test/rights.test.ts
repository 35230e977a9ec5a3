import { checkout } from "@pixcharge/checkout"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { type PortalAccess, portal, type Right } from "../src/index.ts"
import { portalRoutes } from "../src/pages/portalRoutes.ts"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { payer, portalWorld, shop } from "./support/portalWorld.ts"

/** The pages and forms that require each right. All require `read`, too. */
const routesByRight: Readonly<Record<Right, ReadonlyArray<string>>> = {
  read: [
    "GET ",
    "GET /cobrancas",
    "POST /cobrancas",
    "GET /cobrancas.csv",
    "GET /pagamentos.csv",
    "GET /cobrancas/:id",
    "GET /cobrancas/:id/enviar",
    "GET /excecoes",
    "GET /excecoes/:endToEndId",
    "GET /eventos",
    "GET /eventos/:eventId/:endpointId",
    "GET /auditoria",
    "GET /recorrencias",
    "POST /recorrencias",
    "GET /recorrencias/:id",
  ],
  issue: ["GET /cobrancas/nova", "POST /cobrancas/nova"],
  refund: ["GET /cobrancas/:id/devolver", "POST /cobrancas/:id/devolver"],
  changeCharge: ["GET /cobrancas/:id/alterar", "POST /cobrancas/:id/alterar/conferir", "POST /cobrancas/:id/alterar"],
  cancel: ["GET /cobrancas/:id/cancelar", "POST /cobrancas/:id/cancelar"],
  exceptions: [
    "GET /excecoes/:endToEndId/devolver",
    "POST /excecoes/:endToEndId/devolver",
    "POST /excecoes/:endToEndId/manter",
  ],
  events: [
    "GET /eventos/reenviar",
    "POST /eventos/reenviar",
    "POST /eventos/:eventId/:endpointId/reenviar",
    "GET /pontos",
    "POST /pontos/:endpointId/pausar",
    "POST /pontos/:endpointId/retomar",
    "POST /pontos/:endpointId/testar",
  ],
  payers: [
    "POST /cobrancas/:id/pagador",
    "GET /pagadores",
    "POST /pagadores/exportar",
    "POST /pagadores/apagar",
    "POST /pagadores/apagados",
  ],
  reconcile: ["GET /conciliacao", "GET /conciliacao.csv", "POST /conciliacao"],
  recurrences: [
    "GET /recorrencias/:id/encerrar",
    "POST /recorrencias/:id/encerrar",
    "GET /recorrencias/:id/pular",
    "POST /recorrencias/:id/pular",
    "GET /cobrancas/:id/tentar",
    "POST /cobrancas/:id/tentar",
  ],
}

const rights = Object.keys(routesByRight) as ReadonlyArray<Right>
const rightByRoute = new Map(rights.flatMap((right) => routesByRight[right].map((route) => [route, right] as const)))

const monthly = {
  payer,
  title: "Clube do livro",
  period: "monthly",
  startDate: "2027-03-20",
  amountCents: 4_990,
  journey: { by: "code" },
} as const

/** An operator's name is a right, and the operator has all rights except this one. */
const world = async () => {
  const { pix } = portalWorld({ recurrences: true, checkout: checkout({ url: "https://loja.test" }) })
  const authorize = ({ header }: { readonly header: (name: string) => string | undefined }): PortalAccess => ({
    who: "ana",
    companies: [{ cnpj: shop }],
    rights: rights.filter((right) => right !== header("x-user")),
  })
  const base = await serveApp("express", portal(pix, { authorize }))
  return { pix, base, without: (right: string) => makeOperator(`${base}/${shop}`, right) }
}

it("lists every page and form in the table of this test", () => {
  const listed = portalRoutes({ hasRecurrences: true }).map(
    ({ kind, path }) => `${kind === "page" ? "GET" : "POST"} ${path}`,
  )
  expect(listed.toSorted()).toEqual([...rightByRoute.keys()].toSorted())
})

it("requires for each page and form only its right and `read`", async () => {
  const { pix, without } = await world()
  await using _ = pix
  const lacking = async (right: string) => {
    const { get, post } = without(right)
    const refused: Array<string> = []
    for (const route of rightByRoute.keys()) {
      const [method = "", path = ""] = route.split(" ")
      const address = path.replaceAll(/:\w+/g, randomUUID())
      const { text } = await (method === "GET" ? get(address) : post(address, {}))
      if (text.includes("Seu usuário não tem permissão para isso.")) refused.push(route)
    }
    return refused
  }
  for (const right of rights)
    expect(await lacking(right)).toEqual(right === "read" ? [...rightByRoute.keys()] : routesByRight[right])
  expect(await lacking("no right")).toEqual([])
}, 60_000)

it("shows only forms and links that the operator may use", async () => {
  const { pix, base, without } = await world()
  await using _ = pix
  const issue = () => pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  const [open, paid, twice] = [await issue(), await issue(), await issue()]
  await pix.simulatePayment(shop, paid.id)
  await pix.simulatePayment(shop, twice.id)
  await pix.payTwice(twice.id)
  const recurrenceId = randomUUID()
  await pix.recurrences.offer(shop, { id: recurrenceId, ...monthly })
  await pix.runDueWork()
  await pix.recurrences.play(shop, recurrenceId, "approve")
  const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() + 1 })
  const paths = ["", "/cobrancas", `/cobrancas/${open.id}`, `/cobrancas/${paid.id}`, "/excecoes", "/eventos"]
  paths.push(
    ...items.map(({ payment }) => `/excecoes/${payment.endToEndId}`),
    "/auditoria",
    "/recorrencias",
    `/recorrencias/${recurrenceId}`,
  )
  // Sorts paths with fewer parameters first: `/cobrancas/nova` before `/cobrancas/:id`.
  const exactFirst = [...rightByRoute].toSorted(([a], [b]) => a.split(":").length - b.split(":").length)
  const patterns = exactFirst.map(([route, right]) => {
    const [method = "", path = ""] = route.split(" ")
    return { method, right, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) }
  })
  const rightOf = (method: string, address: string, page: string) => {
    const below = new URL(address, page).pathname.split(`/${shop}`)[1] ?? "elsewhere"
    return patterns.find((each) => each.method === method && each.pattern.test(below))?.right
  }
  const offered = async (right: string) => {
    const found = new Set<Right | undefined>()
    for (const path of paths) {
      const { html, status } = await without(right).get(path)
      expect([path, status]).toEqual([path, 200])
      const page = `${base}/${shop}${path}`
      for (const [, link = ""] of html.matchAll(/<a[^>]* href="([^"]+)"/g)) found.add(rightOf("GET", link, page))
      for (const [, form = ""] of html.matchAll(/<form[^>]* method="post"[^>]* action="([^"]+)"/g))
        found.add(rightOf("POST", form, page))
    }
    return found
  }
  expect(await offered("no right")).toEqual(new Set([...rights, undefined]))
  for (const right of rights)
    if (right !== "read") expect([right, (await offered(right)).has(right)]).toEqual([right, false])
}, 60_000)
