import { randomUUID } from "node:crypto"
import type { FactKind } from "@pixcharge/embed"
import { memoryDirectory } from "@pixcharge/store-memory"
import { testReceiver } from "@pixcharge/testing"
import { expect, it, onTestFinished } from "vitest"
import { portal } from "../src/index.ts"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { authorize, portalWorld, shop } from "./support/portalWorld.ts"

const list = `/${shop}/eventos`

/** A company with an endpoint, which can't be reached unless `isUp`, and a paid charge. */
const withEndpoint = async ({ isUp = true, events }: { isUp?: boolean; events?: ReadonlyArray<FactKind> } = {}) => {
  const receiver = await testReceiver()
  onTestFinished(receiver.dispose)
  const company = {
    cnpj: shop,
    name: "Padaria Aurora",
    city: "Recife",
    graceDays: 5,
    pixKey: shop,
    integratorKey: "key-of-the-test-company",
    callback: receiver.callback,
  }
  const { pix, app } = portalWorld({
    directory: memoryDirectory({ companies: [company] }),
    company,
    ...(events && { events }),
  })
  const base = await serveApp("fetch", app)
  if (!isUp) await receiver.dispose()
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  return { pix, receiver, id, ana: makeOperator(base, "ana"), leo: makeOperator(base, "leo") }
}

const own = `callback-${shop}`
const findDelivery = async (pix: Awaited<ReturnType<typeof withEndpoint>>["pix"]) => {
  const { items } = await pix.events.list(shop, { endpointId: own })
  const [delivery] = items
  if (delivery === undefined) throw new Error("expected a delivery")
  return { delivery, page: `${list}/${delivery.event.id}/${own}?em=${delivery.event.occurredAt}` }
}

it("lists events with their status, and filters by status, endpoint and charge", async () => {
  const { ana, id } = await withEndpoint()
  const all = await ana.get(list)
  expect(all.text).toContain("De 23/02/2027 a 01/03/2027, no horário de Brasília: todas as situações")
  expect(all.text).toContain("Aplicação (interno)")
  expect(all.text).toContain(`Pagamento recebido ${own} Entregue 1 HTTP 200`)
  expect((await ana.get(`${list}?situacao=dead`)).text).toContain("Nenhum evento com estes filtros.")
  expect((await ana.get(`${list}?ponto=host`)).text).not.toContain("HTTP 200")
  expect((await ana.get(`${list}?cobranca=${id}`)).text).toContain("HTTP 200")
  expect((await ana.get(`${list}?cobranca=${randomUUID()}`)).text).toContain("Nenhum evento com estes filtros.")
})

it("shows an event's attempts, and resends the event under the same id in the operator's name", async () => {
  const { pix, ana, receiver } = await withEndpoint()
  const { page, delivery } = await findDelivery(pix)
  const shown = await ana.get(page)
  expect(shown.text).toContain(delivery.event.id)
  expect(shown.text).toContain("HTTP 200")
  expect(shown.text).toContain("Se já o tratou, precisa reconhecê-lo")
  const form = shown.form("/reenviar")
  receiver.clearReceived()
  const sent = await ana.send(form)
  expect(sent.status).toBe(303)
  expect((await ana.get(sent.location ?? "")).text).toContain("Evento na fila de envio.")
  await pix.runDueWork()
  expect((await pix.events.attempts(shop, delivery.event.id, own)).length).toBe(2)
  expect((await ana.send(form)).status).toBe(303)
  const { items } = await pix.audit.list(shop, { kind: "eventsReplayed" })
  expect(items.map(({ by, change }) => [by, change])).toEqual([["ana", { kind: "eventsReplayed", deliveries: 1 }]])
})

it("names the events of each end of a charge, and leads to the charge and to a payment without one", async () => {
  const { pix, ana } = await withEndpoint({ events: ["expired", "cancelled", "part-refunded", "exception"] })
  const issue = async () => (await pix.issue(shop, { id: randomUUID(), amountCents: 3_000 })).id
  const [expired, cancelled, parted, twice] = [await issue(), await issue(), await issue(), await issue()]
  await pix.cancel(shop, cancelled)
  await pix.pay(parted)
  await pix.refundPart(shop, parted, { key: "1", amountCents: 700 })
  await pix.payTwice(twice)
  await pix.clock.advance("15 minutes")
  const listed = await ana.get(`${list}?ponto=${own}`)
  const open = async (chargeId: string) => {
    const { items } = await pix.events.list(shop, { chargeId, endpointId: own })
    const [{ event } = { event: undefined }] = items
    return (await ana.get(`${list}/${event?.id}/${own}?em=${event?.occurredAt}`)).html
  }
  for (const name of [
    "Cobrança expirada",
    "Cobrança cancelada",
    "Devolução parcial concluída",
    "Pagamento sem cobrança",
  ]) {
    expect(listed.text).toContain(`${name} ${own} Entregue`)
  }
  for (const id of [expired, cancelled, parted, twice]) expect(await open(id)).toContain(`/cobrancas/${id}`)
  expect(await open(parted)).toMatch(/R\$\s7,00/)
  const [exception] = (await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() + 1 })).items
  expect(await open(twice)).toContain(`/excecoes/${exception?.payment.endToEndId}`)
  expect((await ana.get(`/${shop}/cobrancas/${cancelled}`)).text).toContain("Cobrança cancelada pela aplicação")
})

it("doesn't resend a waiting event, and answers 404 for an unknown delivery", async () => {
  const { pix, ana } = await withEndpoint({ isUp: false })
  const { page, delivery } = await findDelivery(pix)
  expect(delivery.status).toBe("waiting")
  const shown = await ana.get(page)
  expect(shown.text).toContain("Próximo envio")
  expect(() => shown.form("/reenviar")).toThrow("no form")
  expect((await ana.get(page.replace(own, "elsewhere"))).status).toBe(404)
  expect((await ana.get(page.replace(/em=\d+/, "em=5"))).status).toBe(404)
  expect((await ana.get(page.replace(/em=\d+/, "em=x"))).status).toBe(404)
})

it("previews a replay, and replays the previewed events under the given name", async () => {
  const { pix, ana, receiver } = await withEndpoint()
  const path = `${list}/reenviar`
  const query = "nome=queda+de+28%2F02&de=2027-03-01&ate=2027-03-01&situacao=delivered&ponto="
  const preview = await ana.get(`${path}?${query}${encodeURIComponent(own)}`)
  expect(preview.text).toContain("Refazer 1 envio?")
  expect(preview.text).toContain("Nome queda de 28/02")
  expect(preview.text).toContain("Período 01/03/2027 00:00 a 01/03/2027 12:00")
  expect(preview.text).toContain("um sistema que não os reconhece pode, por exemplo, liberar o mesmo pedido duas vezes")
  const form = preview.form("/reenviar")
  // The replay doesn't include an event that occurs after the preview.
  await pix.clock.advance("1 minute")
  const later = await pix.issue(shop, { id: randomUUID(), amountCents: 500 })
  await pix.pay(later.id)
  receiver.clearReceived()
  const done = await ana.send(form)
  expect(done.status).toBe(200)
  expect(done.text).toContain("1 envio está na fila")
  expect(done.text).toContain("Para parar, pause o webhook.")
  expect((await ana.send(form)).text).toContain("1 envio está na fila")
  const { items } = await pix.audit.list(shop, { kind: "eventsReplayed" })
  expect(items.map(({ by, change }) => [by, change])).toEqual([
    ["ana", { kind: "eventsReplayed", deliveries: 1, name: "queda de 28/02" }],
  ])
  expect(
    (await pix.events.list(shop, { status: "waiting" })).items.map(({ event }) => event.payment?.amountCents),
  ).toEqual([1_990])
})

it("doesn't send a replay without a name, events, a period or the right", async () => {
  const { pix, ana, leo } = await withEndpoint()
  const path = `${list}/reenviar`
  const nameless = await ana.get(`${path}?nome=+&situacao=delivered`)
  expect(nameless.status).toBe(422)
  expect(nameless.text).toContain("Dê um nome ao reenvio")
  const nothing = await ana.get(`${path}?nome=a&situacao=dead`)
  expect(nothing.text).toContain("Nada para reenviar neste período.")
  expect(() => nothing.form("/reenviar")).toThrow("no form")
  const { fields } = (await ana.get(`${path}?nome=a&situacao=delivered`)).form("/reenviar")
  expect((await ana.post(path, { ...fields, inicio: "x" })).status).toBe(422)
  expect((await ana.post(path, { ...fields, key: randomUUID(), fim: "" })).status).toBe(422)
  expect((await leo.get(path)).status).toBe(403)
  expect((await leo.post(path, fields)).status).toBe(403)
  expect((await pix.audit.list(shop)).items).toEqual([])
})

it("shows the health of endpoints, and pauses, resumes and tests them in the operator's name", async () => {
  const { pix, ana, leo } = await withEndpoint()
  const page = `/${shop}/pontos`
  const healthy = await ana.get(page)
  expect(healthy.text).toContain(`${own} Ativo Saudável`)
  expect(healthy.text).toContain("Aplicação (interno) Ativo Saudável")
  expect(healthy.text).toContain("só quem administra o sistema pode pausá-lo")
  const paused = await ana.send(healthy.form(`/${own}/pausar`))
  const whilePaused = await ana.get(paused.location ?? "")
  expect(whilePaused.text).toContain("Webhook pausado.")
  expect(whilePaused.text).toContain(`${own} Pausado`)
  const tested = whilePaused.form(`/${own}/testar`)
  await ana.send(tested)
  // The same form, sent to another process of the host, doesn't send a second event.
  const elsewhere = makeOperator(await serveApp("express", portal(pix, { authorize })), "ana")
  expect((await elsewhere.post(`${page}/${own}/testar`, tested.fields)).status).toBe(303)
  expect((await ana.get(page)).text).toContain("Aguardando 1")
  const resumed = await ana.send(whilePaused.form(`/${own}/retomar`))
  expect((await ana.get(resumed.location ?? "")).text).toContain("Webhook reativado.")
  const { items } = await pix.audit.list(shop)
  expect(items.map(({ by, change }) => `${by} ${change.kind}`)).toEqual([
    "ana endpointResumed",
    "ana testEventSent",
    "ana endpointPaused",
  ])
  expect((await leo.get(page)).status).toBe(403)
})

it("shows a failing endpoint with the number of its waiting events", async () => {
  const { ana } = await withEndpoint({ isUp: false })
  const shown = await ana.get(`/${shop}/pontos`)
  expect(shown.text).toContain(`${own} Ativo Falhando`)
  expect(shown.text).toContain("Aguardando 1 , 1 após uma falha")
})

it("doesn't pause an endpoint that isn't the company's", async () => {
  const { ana } = await withEndpoint()
  const { fields } = (await ana.get(`/${shop}/pontos`)).form(`/${own}/pausar`)
  const refused = await ana.post(`/${shop}/pontos/host/pausar`, fields)
  expect(refused.status).toBe(404)
  expect(refused.text).toContain("Esta empresa não tem um webhook com este nome")
})

it("names a period of a single day, and rejects a period that ends before it begins", async () => {
  const { ana } = await withEndpoint()
  expect((await ana.get(`${list}?de=2027-03-01&ate=2027-03-01`)).text).toMatch(/Dia 01\/03\/2027, no horário/)
  const refused = await ana.get(`${list}?de=2027-03-02&ate=2027-03-01`)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain("A data final não pode ser anterior à inicial")
})

it("shows the age of the oldest waiting event of an endpoint", async () => {
  const { pix, ana } = await withEndpoint({ isUp: false })
  await pix.clock.advance("2 minutes")
  const { text } = await ana.get(`/${shop}/pontos`)
  expect(text).toContain("Aguardando 1 , 1 após uma falha")
  expect(text).toContain("Evento mais antigo há 2 minutos")
})
