import { memoryDirectory } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { outline } from "./support/outline.ts"
import { payer, portalWorld, shop } from "./support/portalWorld.ts"

const company = {
  cnpj: shop,
  name: "Padaria Aurora",
  city: "Recife",
  graceDays: 5,
  pixKey: shop,
  integratorKey: "key-of-the-test-company",
  fees: { fine: { kind: "percent", basisPoints: 200 } },
} as const

const busyShop = async () => {
  const { pix, app } = portalWorld({ directory: memoryDirectory({ companies: [company] }), company })
  /** Runs a step a second after the previous step, so their order is fixed. */
  const next = async <A>(step: () => Promise<A>): Promise<A> => {
    await pix.clock.advance("1 second")
    return step()
  }
  const issue = (amountCents: number, more: object = {}) =>
    next(async () => (await pix.issue(shop, { id: randomUUID(), amountCents, payer, ...more })).id)
  const expired = await issue(8_000)
  await pix.expire(expired)
  const charges = {
    expired,
    open: await issue(1_990, { messageToPayer: "Pedido 7" }),
    dated: await issue(10_000, { dueDate: "2027-03-05" }),
    cancelled: await issue(2_500),
    paid: await issue(3_000),
    partlyReturned: await issue(4_000),
    returned: await issue(5_000),
    paidTwice: await issue(6_000),
    kept: await issue(7_000),
  }
  await next(() => pix.by("ana").cancel(shop, charges.cancelled))
  for (const id of [charges.paid, charges.partlyReturned, charges.returned]) await next(() => pix.pay(id))
  await next(() => pix.by("ana").refundPart(shop, charges.partlyReturned, { key: "1", amountCents: 1_500 }))
  await next(() => pix.by("bia").refund(shop, charges.returned))
  for (const id of [charges.paidTwice, charges.kept]) await next(() => pix.payTwice(id))
  await pix.runDueWork()
  const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() + 1 })
  const findException = (id: string) =>
    items.find(({ payment }) => payment.amountCents === (id === charges.kept ? 7_000 : 6_000))?.payment.endToEndId ?? ""
  await pix.by("ana").exceptions.resolve(shop, findException(charges.kept), "Devolvido no balcão")
  return {
    pix,
    charges,
    exceptions: { open: findException(charges.paidTwice), kept: findException(charges.kept) },
    app,
  }
}

// `--update` rewrites the snapshots. Check the differences afterwards.
it("renders every page as in its snapshot", async () => {
  const { pix, charges, exceptions, app } = await busyShop()
  await using _ = pix
  const bia = makeOperator(await serveApp("fetch", app), "bia")
  const delivery = /eventos\/evt_[^"]*/.exec((await bia.get(`/${shop}/eventos`)).html)?.[0] ?? ""
  const pages: Readonly<Record<string, string>> = {
    dashboard: "",
    charges: "/cobrancas",
    ...Object.fromEntries(
      Object.entries(charges).flatMap(([name, id]) =>
        name === "kept" ? [] : [[`charge-${name}`, `/cobrancas/${id}`]],
      ),
    ),
    exceptions: "/excecoes?situacao=",
    "exception-open": `/excecoes/${exceptions.open}`,
    "exception-kept": `/excecoes/${exceptions.kept}`,
    "exception-refund": `/excecoes/${exceptions.open}/devolver`,
    deliveries: "/eventos",
    delivery: `/${delivery}`,
    replay: "/eventos/reenviar",
    endpoints: "/pontos",
    reconciliation: "/conciliacao?dia=2027-03-01",
    payers: "/pagadores",
    audit: "/auditoria",
    "refund-confirmed": `/cobrancas/${charges.paid}/devolver?valor=10`,
    "cancel-confirmation": `/cobrancas/${charges.open}/cancelar`,
  }
  for (const [name, path] of Object.entries(pages)) {
    const { html } = await bia.open(`/${shop}${path}`)
    const shown = name === "dashboard" ? html : (/<main.*<\/main>/s.exec(html)?.[0] ?? "")
    await expect(`${outline(shown)}\n`).toMatchFileSnapshot(`snapshots/${name}.txt`)
  }
})
