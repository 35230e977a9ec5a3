import { checkout } from "@pixcharge/checkout"
import type { TestPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { type Answer, makeOperator } from "./support/Operator.ts"
import { outline } from "./support/outline.ts"
import { payer, portalWorld, shop } from "./support/portalWorld.ts"

const list = `/${shop}/recorrencias`

const monthly = {
  payer,
  title: "Clube do livro",
  period: "monthly",
  startDate: "2027-03-20",
  amountCents: 4_990,
  retries: "threeInSeven",
  journey: { by: "code" },
} as const

const world = async () => {
  const { pix, app } = portalWorld({ recurrences: true, checkout: checkout({ url: "https://loja.test" }) })
  const base = await serveApp("express", app)
  const as = (user: string) => makeOperator(base, user)
  const ana = as("ana")
  const offer = async (more: object = {}) => {
    const { id } = await pix.recurrences.offer(shop, { id: randomUUID(), ...monthly, ...more })
    await pix.runDueWork()
    return id
  }
  const approve = async (more: object = {}) => {
    const id = await offer(more)
    await pix.recurrences.play(shop, id, "approve")
    return id
  }
  return { pix, as, ana, offer, approve, page: (id: string, step = "") => ana.open(`${list}/${id}${step}`) }
}

const lastCharge = async (pix: TestPix, id: string) => {
  const { items } = await pix.recurrences.charges(shop, id)
  const [last] = items
  if (last === undefined) throw new Error("expected a charged cycle")
  return last
}

const search = async (ana: ReturnType<typeof makeOperator>, busca: string) => {
  const sent = await ana.send((await ana.open(list)).form("/recorrencias"), { busca })
  return { sent, shown: sent.status === 303 ? await ana.open(sent.location ?? "") : sent }
}

/** Moves the clock to noon of a day of 2027 in Brasília. */
const moveTo = (pix: TestPix, month: number, day: number) =>
  pix.clock.advance(Date.UTC(2027, month - 1, day, 15) - pix.clock.now())

const mainActions = ({ html }: Answer) =>
  [...html.matchAll(/class="button button-primary"[^>]*>\s*([^<]*?)\s*</g)].map(([, text]) => text)

it("lists recurrences by status with their next due date and masked payers", async () => {
  const { pix, ana, offer, approve } = await world()
  await using _ = pix
  await offer({ title: "Plano mensal", period: "weekly", amountCents: undefined })
  await approve({ endDate: "2027-04-01" })
  const all = await ana.get(list)
  expect(all.text).toContain("Recorrências: todas")
  expect(all.text).toContain("Plano mensal Aguardando autorização por semana, valor informado a cada ciclo 20/03/2027")
  expect(all.text).toContain("Clube do livro Autorizada R$ 49,90 por mês 20/03/2027 J*** d*** S***")
  expect(all.html).not.toMatch(/João|529\.982|52998224725/)
  const approved = await ana.get(`${list}?situacao=approved`)
  expect(approved.text).toContain("Recorrências: autorizada")
  expect(approved.text).not.toContain("Plano mensal")
  expect((await ana.get(`${list}?situacao=ended`)).text).toContain("Nenhuma recorrência com este filtro.")
})

it("shows recurrences in the navigation only if the instance has them", async () => {
  const { pix, ana } = await world()
  await using _ = pix
  expect((await ana.get(`/${shop}`)).html).toContain(`${list}"`)
  const { pix: bare, app } = portalWorld()
  await using __ = bare
  const bia = makeOperator(await serveApp("express", app), "bia")
  expect((await bia.get(`/${shop}`)).html).not.toContain("recorrencias")
  for (const path of [list, `${list}/${randomUUID()}`]) expect((await bia.get(path)).status).toBe(404)
})

it("shows an offered recurrence with its code, its terms and a link to the payer's page", async () => {
  const { pix, offer, page } = await world()
  await using _ = pix
  const id = await offer({ endDate: "2028-03-19" })
  const recurrence = await pix.recurrences.find(shop, id)
  const shown = await page(id)
  expect(shown.text).toContain("Clube do livro Aguardando autorização")
  expect(shown.html).toContain('aria-label="QR Code Pix"')
  expect(shown.text).toContain((recurrence as { brCode?: string }).brCode)
  expect(shown.html).toContain(`href="${await pix.checkout.recurrenceLink(shop, id)}"`)
  expect(mainActions(shown)).toEqual(["Abrir a página de autorização"])
  expect(shown.text).toContain("Primeiro ciclo em 20/03/2027 Nenhum ciclo começa depois de 19/03/2028")
  expect(shown.text).toContain("Novas tentativas até três, nos sete dias após o vencimento")
  expect(shown.text).toContain("Forma de autorizar código que autoriza")
  expect(shown.text).toContain("Nenhum ciclo foi cobrado ainda.")
  await pix.recurrences.play(shop, id, "approve")
  const approved = await page(id)
  expect(approved.text).toContain("Autorizada em 01/03/2027")
  expect(approved.html).not.toContain("QR Code Pix")
})

it("says who ended a recurrence, and shows no buttons", async () => {
  const { pix, approve, page } = await world()
  await using _ = pix
  const id = await approve()
  await pix.recurrences.play(shop, id, "cancel")
  const { text } = await page(id)
  expect(text).toContain("Clube do livro Encerrada")
  expect(text).toMatch(/Motivo Encerrada pelo pagador \(\w+\)/)
  expect(text).not.toContain("Encerrar recorrência")
  expect((await page(id, "/encerrar")).text).toContain("Esta recorrência já foi encerrada")
  expect((await page(id, "/pular")).text).toContain("Não há ciclo que possa ser pulado.")
})

it("shows the debit of each cycle, with its planned day and attempts on the charge's page", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve()
  await moveTo(pix, 3, 16)
  const charge = await lastCharge(pix, id)
  const scheduled = await page(id)
  expect(scheduled.text).toContain("Ver a cobrança do ciclo 1 1 20/03/2027 Agendada 1 R$ 49,90")
  const open = await ana.open(`/${shop}/cobrancas/${charge.id}`)
  expect(open.text).toContain("Cobrança de R$ 49,90 Agendada")
  expect(open.text).toContain("Débito previsto para 22/03/2027")
  expect(open.text).toContain("22/03/2027 Primeira Agendada")
  expect(open.html).toContain(`${list}/${id}"`)
  expect(open.html).not.toMatch(/QR Code Pix|000201/)
  expect(open.text).not.toContain("Enviar")
  expect(mainActions(open)).toEqual([])
  await moveTo(pix, 3, 23)
  const paid = await ana.open(`/${shop}/cobrancas/${charge.id}`)
  expect(paid.text).toContain("Cobrança de R$ 49,90 Paga")
  expect(paid.text).toContain("22/03/2027 Primeira Paga")
  expect(mainActions(paid)).toEqual(["Devolver pagamento"])
  expect((await page(id)).text).toContain("Ver a cobrança do ciclo 1 1 20/03/2027 Paga 1 R$ 49,90")
  expect((await ana.get(list)).text).toContain("20/04/2027")
})

it("shows the due date of the earlier of two charges that aren't due yet, on list and page", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve({ period: "weekly", startDate: "2027-03-23" })
  await moveTo(pix, 3, 22)
  expect((await pix.recurrences.charges(shop, id)).items.map(({ dueDate }) => dueDate)).toEqual([
    "2027-03-30",
    "2027-03-23",
  ])
  expect((await ana.get(list)).text).toContain("R$ 49,90 por semana 23/03/2027")
  expect((await page(id)).text).toContain("Próximo vencimento 23/03/2027")
  await moveTo(pix, 3, 24)
  expect((await ana.get(list)).text).toContain("R$ 49,90 por semana 30/03/2027")
  expect((await page(id)).text).toContain("Próximo vencimento 30/03/2027")
})

it("shows the due date of the next cycle if the first can no longer be charged", async () => {
  const { pix, ana, offer, page } = await world()
  await using _ = pix
  const id = await offer()
  await moveTo(pix, 3, 19)
  expect((await ana.get(list)).text).toContain("R$ 49,90 por mês 20/04/2027")
  expect((await page(id)).text).toContain("Próximo vencimento 20/04/2027")
})

it("ends a recurrence once after a confirmation, in the operator's name", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve()
  const confirm = await page(id, "/encerrar")
  expect(confirm.text).toContain("Um débito de hoje ainda pode ser feito.")
  const form = confirm.form("/encerrar")
  const done = await ana.send(form)
  expect(done.status).toBe(303)
  expect((await ana.send(form)).status).toBe(303)
  expect((await ana.open(done.location ?? "")).text).toContain("Encerramento solicitado.")
  expect((await pix.recurrences.find(shop, id)).status).toMatch(/end/)
  const { items } = await pix.audit.list(shop, { kind: "recurrenceEndRequested" })
  expect(items.map(({ by }) => by)).toEqual(["ana"])
  const audit = await ana.get(`/${shop}/auditoria`)
  expect(audit.html).toContain(`${list}/${id}"`)
})

it("skips the next cycle before and after its charge is made, and continues with later cycles", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve()
  const early = await page(id, "/pular")
  expect(early.text).toContain("Primeiro ciclo 1, com vencimento em 20/03/2027 Último ciclo")
  await moveTo(pix, 3, 16)
  const charge = await lastCharge(pix, id)
  const made = await page(id, "/pular")
  expect(made.text).toContain("Primeiro ciclo 1, com vencimento em 20/03/2027 Último ciclo")
  const done = await ana.send(made.form("/pular"), { ate: "1" })
  expect(done.status).toBe(303)
  expect((await ana.open(done.location ?? "")).text).toContain("Ciclos pulados. Os seguintes continuam.")
  expect((await pix.find(shop, charge.id)).status).toBe("cancelled")
  const second = await page(id, "/pular")
  expect(second.text).toContain("Primeiro ciclo 2, com vencimento em 20/04/2027 Último ciclo")
  await ana.send(second.form("/pular"), { ate: "2" })
  expect((await page(id)).text).toContain("Próximo vencimento 20/05/2027")
  const { items } = await pix.audit.list(shop)
  expect(items.filter(({ by }) => by === "ana").map(({ change }) => change.kind)).toEqual([
    "cyclesSkipped",
    "chargeCancelled",
    "cyclesSkipped",
  ])
})

it("skips several cycles at once for a pause, up to a year of months or the last cycle", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve()
  await moveTo(pix, 3, 16)
  const charge = await lastCharge(pix, id)
  const form = await page(id, "/pular")
  expect(form.html.match(/<option/g)).toHaveLength(12)
  await ana.send(form.form("/pular"), { ate: "3" })
  expect((await pix.find(shop, charge.id)).status).toBe("cancelled")
  expect((await page(id)).text).toMatch(/Próximo vencimento 20\/06\/2027 .* Ciclos pulados 1 a 3/)
  const { items } = await pix.audit.list(shop, { kind: "cyclesSkipped" })
  expect(items).toMatchObject([{ by: "ana", change: { cycles: [1, 3] } }])
  const short = await approve({ endDate: "2027-04-25", startDate: "2027-03-25" })
  expect([...(await page(short, "/pular")).html.matchAll(/<option value="(\d+)"/g)].map(([, cycle]) => cycle)).toEqual([
    "1",
    "2",
  ])
})

it("refuses to cancel a debit after 22:00 on the day before it, and explains this", async () => {
  const { pix, ana, approve } = await world()
  await using _ = pix
  const id = await approve()
  await moveTo(pix, 3, 16)
  const { id: charge } = await lastCharge(pix, id)
  const path = `/${shop}/cobrancas/${charge}`
  const form = (await ana.open(`${path}/cancelar`)).form("/cancelar")
  expect((await ana.open(path)).text).toContain("Cancelar cobrança")
  await pix.clock.advance(Date.UTC(2027, 2, 22, 1) - pix.clock.now())
  const late = await ana.open(path)
  expect(late.text).not.toContain("Cancelar cobrança")
  expect((await ana.open(`${path}/cancelar`)).text).toContain("o cancelamento era possível até as 22h da véspera")
  // A form from a page that was opened earlier, with a token that is still valid.
  const again = {
    ...form,
    fields: {
      ...form.fields,
      token: (await ana.open(`/${shop}/recorrencias/${id}/encerrar`)).form("/encerrar").fields["token"] ?? "",
    },
  }
  const refused = await ana.send(again)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("até as 22h da véspera")])
})

it("finds recurrences by the payer's name or tax id, and keeps these out of addresses", async () => {
  const { pix, ana, offer } = await world()
  await using _ = pix
  const id = await offer()
  await offer({ title: "Plano mensal", payer: { name: "Outra Pessoa", taxId: "12345678909" } })
  for (const busca of ["joão", "silva", payer.taxId, "529.982.247-25", id.slice(0, 13)]) {
    const { sent, shown } = await search(ana, busca)
    expect([busca, sent.status, shown.status]).toEqual([busca, 303, 200])
    if (busca !== id.slice(0, 13)) expect(sent.location).toMatch(/recorrencias\?procura=[\w.-]+$/)
    expect(shown.text, busca).toContain("Clube do livro")
    expect(shown.text, busca).not.toContain("Plano mensal")
  }
  expect((await search(ana, "ninguem")).shown.text).toContain("Nenhuma recorrência com este filtro.")
  const long = await search(ana, "j".repeat(201))
  expect([long.sent.status, long.shown.text]).toEqual([422, expect.stringContaining("Digite até 200 caracteres.")])
  const named = await ana.open(`${list}?busca=silva`)
  expect(named.text).toContain("não são lidos do endereço da página")
})

it("shows the automatic attempts of a recurrence and of a debit, and the skipped cycles", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve({ retries: "threeInSeven", retryOn: [6, 5] })
  expect((await page(id)).text).toContain("Tentativas automáticas 5 e 6 dias após o vencimento")
  await pix.recurrences.skip(shop, id, 2)
  await pix.recurrences.skip(shop, id, { cycles: [4, 6] })
  expect((await page(id)).text).toContain("Ciclos pulados 2, 4 a 6")
  await pix.recurrences.playDebit(shop, id, "noBalance")
  await moveTo(pix, 3, 23)
  const charge = await ana.get(`/${shop}/cobrancas/${(await lastCharge(pix, id)).id}`)
  expect(charge.text).toContain("Próxima tentativa automática 25/03/2027")
})

it("requests a retry of a failed debit on the confirmed day", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  const id = await approve()
  await pix.recurrences.playDebit(shop, id, "noBalance")
  await moveTo(pix, 3, 23)
  const { id: charge } = await lastCharge(pix, id)
  const failed = await ana.open(`/${shop}/cobrancas/${charge}`)
  expect(failed.text).toContain("Cobrança de R$ 49,90 Tentativa sem sucesso")
  expect(mainActions(failed)).toEqual(["Solicitar nova tentativa"])
  expect(mainActions(await page(id))).toEqual(["Solicitar nova tentativa"])
  const confirm = await ana.open(`/${shop}/cobrancas/${charge}/tentar`)
  expect(confirm.text).toContain("Dia da nova tentativa 24/03/2027")
  const form = confirm.form("/tentar")
  const done = await ana.send(form)
  expect(done.status).toBe(303)
  expect((await ana.open(done.location ?? "")).text).toContain("Nova tentativa solicitada ao banco.")
  expect((await ana.open(`/${shop}/cobrancas/${charge}/tentar`)).text).toContain("não é possível agora")
  await moveTo(pix, 3, 25)
  const paid = await ana.open(`/${shop}/cobrancas/${charge}`)
  expect(paid.text).toContain("24/03/2027 Nova tentativa Paga")
  const { items } = await pix.audit.list(shop, { kind: "retryRequested" })
  expect(items.map(({ by, change }) => [by, "on" in change && change.on])).toEqual([["ana", "2027-03-24"]])
})

it("shows recurrences to an operator without the right `recurrences`, but refuses changes", async () => {
  const { pix, as, ana, approve } = await world()
  await using _ = pix
  const id = await approve()
  const leo = as("leo")
  const seen = await leo.open(`${list}/${id}`)
  expect(seen.status).toBe(200)
  expect(seen.text).not.toMatch(/Encerrar recorrência|Pular ciclos/)
  const { fields } = (await ana.open(`${list}/${id}/encerrar`)).form("/encerrar")
  for (const step of ["encerrar", "pular"]) {
    expect((await leo.get(`${list}/${id}/${step}`)).status).toBe(403)
    expect((await leo.post(`${list}/${id}/${step}`, { ...fields, ciclo: "1" })).status).toBe(403)
  }
  expect((await leo.post(`/${shop}/cobrancas/${randomUUID()}/tentar`, fields)).status).toBe(403)
  expect((await pix.recurrences.find(shop, id)).status).toBe("approved")
})

it("answers 404 for a missing recurrence, and 422 for an invalid cycle", async () => {
  const { pix, ana, approve, page } = await world()
  await using _ = pix
  for (const id of [randomUUID(), "x"]) expect((await page(id)).status).toBe(404)
  const id = await approve()
  const form = (await page(id, "/pular")).form("/pular")
  for (const sent of ["0", "-1", "1.5", "x", ""].flatMap((text) => [
    { ciclo: text, ate: "9" },
    { ate: text },
    { ciclo: "3", ate: "2" },
  ])) {
    const refused = await ana.send(form, sent)
    expect([sent, refused.status]).toEqual([sent, 422])
  }
  expect((await ana.send(form, { ate: "1" })).status).toBe(303)
})

it("answers 422 for an invalid day of a retry, and 409 for a day without a possible retry", async () => {
  const { pix, ana, approve } = await world()
  await using _ = pix
  const id = await approve()
  await pix.recurrences.playDebit(shop, id, "noBalance")
  await moveTo(pix, 3, 23)
  const path = `/${shop}/cobrancas/${(await lastCharge(pix, id)).id}/tentar`
  for (const [dia, status] of [
    ["2027-02-30", 422],
    ["", 422],
    ["2027-04-30", 409],
  ] as const) {
    expect([dia, (await ana.send((await ana.open(path)).form("/tentar"), { dia })).status]).toEqual([dia, status])
  }
})

it("renders every page of recurrences as in its snapshot", async () => {
  const { pix, offer, approve, ana } = await world()
  await using _ = pix
  const offered = await offer({ title: "Plano mensal" })
  await pix.clock.advance("1 second")
  const id = await approve()
  await pix.recurrences.playDebit(shop, id, "noBalance")
  await moveTo(pix, 3, 23)
  const { id: charge } = await lastCharge(pix, id)
  const pages = {
    recurrences: "/recorrencias",
    "recurrence-offered": `/recorrencias/${offered}`,
    "recurrence-approved": `/recorrencias/${id}`,
    "recurrence-end": `/recorrencias/${id}/encerrar`,
    "charge-of-cycle": `/cobrancas/${charge}`,
    "retry-confirmation": `/cobrancas/${charge}/tentar`,
  }
  for (const [name, path] of Object.entries(pages)) {
    const main = /<main.*<\/main>/s.exec((await ana.open(`/${shop}${path}`)).html)?.[0] ?? ""
    const shown = outline(main)
      .replaceAll(/loja\.test\/pagar\/[^"]+/g, "loja.test/pagar/link")
      .replaceAll(/RR\d{16}\w{11}/g, "bankId")
    await expect(`${shown}\n`).toMatchFileSnapshot(`snapshots/${name}.txt`)
  }
})
