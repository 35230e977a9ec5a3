import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

const list = `/${shop}/excecoes`

/** A charge that was paid twice: the second payment is an exception. */
const withException = async () => {
  const { pix, app } = portalWorld()
  const base = await serveApp("express", app)
  const [ana, leo] = [makeOperator(base, "ana"), makeOperator(base, "leo")]
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  await pix.payTwice(id)
  const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() + 1 })
  const endToEndId = items[0]?.payment.endToEndId ?? ""
  return { pix, ana, leo, id, endToEndId, page: `${list}/${endToEndId}` }
}

it("lists exceptions by status and period, and names both filters", async () => {
  const { ana, endToEndId } = await withException()
  const open = await ana.get(list)
  expect(open.status).toBe(200)
  expect(open.text).toContain("De 01/12/2026 a 01/03/2027, no horário de Brasília: em aberto")
  expect(open.text).toContain("R$ 19,90 A cobrança já tinha sido paga Em aberto")
  expect(open.text).toContain(endToEndId)
  const returned = await ana.get(`${list}?situacao=returned`)
  expect(returned.text).toContain("Nenhum pagamento com estes filtros.")
  const before = await ana.get(`${list}?de=2027-02-01&ate=2027-02-28&situacao=`)
  expect(before.text).toContain("De 01/02/2027 a 28/02/2027")
  expect(before.text).not.toContain(endToEndId)
})

it("finds an exception by the ID of a payer's receipt in the search for charges, in any letter case", async () => {
  const { ana, endToEndId, page } = await withException()
  const charges = await ana.get(`/${shop}/cobrancas`)
  for (const busca of [endToEndId, endToEndId.toLowerCase()]) {
    const { location = "" } = await ana.send(charges.form("/cobrancas"), { busca })
    expect(new URL(location).pathname).toMatch(new RegExp(`${page}$`))
  }
  const { location } = await ana.send(charges.form("/cobrancas"), { busca: "E1803623620261130120012345678901" })
  expect(location).toContain("/cobrancas?")
})

it.each([
  ["de=2027-02-30", "Informe uma data válida"],
  ["de=2027-02-02&ate=2027-02-01", "A data final não pode ser anterior à inicial"],
])("explains beside its field that the period %s is invalid, and lists no exceptions", async (query, text) => {
  const { ana, endToEndId } = await withException()
  const answer = await ana.get(`${list}?${query}`)
  expect(answer.status).toBe(422)
  expect(answer.text).toContain(text)
  expect(answer.text).not.toContain(endToEndId)
})

it("returns an exception once, after a confirmation, in the operator's name", async () => {
  const { pix, ana, page, endToEndId } = await withException()
  const confirmation = await ana.get(`${page}/devolver`)
  expect(confirmation.text).toContain("Será devolvido R$ 19,90 , o valor integral")
  expect(confirmation.text).toContain(endToEndId)
  const form = confirmation.form("/devolver")
  const refused = await ana.send(form, { motivo: "obrigado \u{1f600}" })
  expect(refused.status).toBe(422)
  expect(refused.html).toMatch(/name="motivo"[^>]*aria-invalid="true"[^>]*value="obrigado \u{1f600}"/u)
  expect(refused.text).toContain("O motivo pode ter até 140 caracteres, sem emojis")
  expect(refused.form("/devolver").url).toBe(form.url)
  const done = await ana.send(form, { motivo: " Pago duas vezes " })
  expect(done.status).toBe(303)
  const after = await ana.get(done.location ?? "")
  expect(after.text).toMatch(/Devolução (pedida|concluída)/)
  await pix.runDueWork()
  expect((await pix.exceptions.find(shop, endToEndId)).status).toBe("returned")
  const { text } = await ana.get(page)
  for (const expected of ["Pago duas vezes", "Decisões registradas", "com motivo"]) expect(text).toContain(expected)
  const again = await ana.send(form, { motivo: " Pago duas vezes " })
  expect(again.status).toBe(303)
  const { items } = await pix.audit.list(shop, { endToEndId })
  expect(items.map(({ by, change }) => [by, change.kind])).toEqual([["ana", "exceptionRefundRequested"]])
  expect((await ana.get(`${page}/devolver`)).text).not.toContain("Devolver este pagamento?")
})

it("keeps an exception only with a note", async () => {
  const { pix, ana, page, endToEndId } = await withException()
  const keep = (await ana.get(page)).form("/manter")
  const refused = await ana.send(keep, { nota: "  " })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain("Informe o motivo para manter o pagamento.")
  expect(refused.html).toContain('aria-invalid="true"')
  expect((await pix.exceptions.find(shop, endToEndId)).status).toBe("open")
  const long = await ana.send((await ana.get(page)).form("/manter"), { nota: "a".repeat(501) })
  expect(long.text).toContain("A nota pode ter no máximo 500 caracteres.")
  const kept = await ana.send(refused.form("/manter"), { nota: "Pedido <b>8</b>, pago junto" })
  expect(kept.status).toBe(303)
  const after = await ana.get(kept.location ?? "")
  expect(after.text).toContain("Pagamento mantido e encerrado.")
  expect(after.text).toContain("Nota Pedido <b>8</b>, pago junto")
  expect(after.html).not.toContain("<b>8</b>")
  expect((await pix.audit.list(shop, { endToEndId })).items[0]).toMatchObject({
    by: "ana",
    change: { kind: "exceptionResolved", hasNote: true },
  })
})

it("refuses a decision if another operator has already decided", async () => {
  const { pix, ana, page, endToEndId } = await withException()
  const form = (await ana.get(`${page}/devolver`)).form("/devolver")
  await pix.exceptions.resolve(shop, endToEndId, "kept")
  const refused = await ana.send(form)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain("Este pagamento já foi tratado")
})

it("explains that an exception older than 90 days can't be returned, but can be kept", async () => {
  const { pix, ana, page } = await withException()
  const form = (await ana.get(`${page}/devolver`)).form("/devolver")
  await pix.clock.advance("12 hours")
  for (let days = 0; days < 90; days += 30) await pix.clock.advance("30 days")
  const old = await ana.send((await ana.get(`${page}/devolver`)).form("/devolver"))
  expect(old.status).toBe(409)
  expect(old.text).toContain("O prazo do Banco Central para devolver, de 90 dias após o pagamento, terminou.")
  expect((await ana.send(form)).status).toBe(403)
})

it("doesn't show or accept the decision forms without the right", async () => {
  const { pix, ana, leo, page, endToEndId } = await withException()
  const seen = await leo.get(page)
  expect(seen.status).toBe(200)
  expect(seen.text).toContain("Seu usuário não tem permissão para tratar estes pagamentos.")
  expect(() => seen.form("/manter")).toThrow("no form")
  const keep = (await ana.get(page)).form("/manter")
  for (const step of ["/devolver", "/manter"]) {
    expect((await leo.post(`${page}${step}`, { ...keep.fields, nota: "mine" })).status).toBe(403)
  }
  expect((await pix.exceptions.find(shop, endToEndId)).status).toBe("open")
})

it("answers 404 for an unknown exception", async () => {
  const { ana } = await withException()
  const answer = await ana.get(`${list}/E00000000202611201400000000000aa`)
  expect(answer.status).toBe(404)
  expect(answer.text).toContain("Esta empresa não tem um pagamento sem cobrança com este ID da transação.")
})
