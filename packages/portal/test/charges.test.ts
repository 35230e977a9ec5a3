import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { makeOperator } from "./support/Operator.ts"
import { serveApp } from "./support/mounts.ts"
import { countedStore } from "./support/faults.ts"
import { neighbour, payer, portalWorld, shop } from "./support/portalWorld.ts"

const world = async (options?: Parameters<typeof portalWorld>[0]) => {
  const { pix, app } = portalWorld(options)
  const base = await serveApp("express", app)
  const bia = makeOperator(base, "bia")
  const issue = (more: object = {}) => pix.issue(shop, { id: randomUUID(), amountCents: 1_990, ...more })
  const list = (search = "") => bia.get(`/${shop}/cobrancas${search}`)
  const send = async (fields: Readonly<Record<string, string>>) =>
    bia.send((await list()).form("/cobrancas"), {
      de: "2027-02-01",
      ate: "2027-03-10",
      situacao: "",
      busca: "",
      ...fields,
    })
  const search = async (fields: Readonly<Record<string, string>>) => {
    const answer = await send(fields)
    return answer.location === undefined ? answer : bia.get(answer.location)
  }
  return { pix, base, bia, issue, list, send, search }
}

const idsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/href="[^"]*\/cobrancas\/([\da-f-]{36})"/g)].map(([, id = ""]) => id)

it("lists the company's charges of the last seven days", async () => {
  const { pix, issue, list } = await world()
  await using _ = pix
  const old = await issue()
  await pix.clock.advance("7 days")
  const recent = await issue({ payer })
  await pix.issue(neighbour, { id: randomUUID(), amountCents: 990 })
  const { html, text } = await list()
  expect(idsIn(html)).toEqual([recent.id])
  expect(text).toContain("De 02/03/2027 a 08/03/2027, no horário de Brasília")
  expect(html).toMatch(/id="de" name="de"[^>]*value="2027-03-02"/)
  expect(html).toMatch(/id="ate" name="ate"[^>]*value="2027-03-08"/)
  expect(idsIn((await list("?de=2027-03-01&ate=2027-03-01")).html)).toEqual([old.id])
})

it("masks the names and tax ids of payers", async () => {
  const { pix, issue, list, search } = await world()
  await using _ = pix
  await issue({ payer: { ...payer, name: 'João "<b>da' } })
  for (const { html, text } of [await list(), await search({ busca: "João" })]) {
    expect(html.replace(/value="João"/g, "")).not.toMatch(/João|52998224725|529\.982/)
    expect(html).not.toContain("<b>da")
    expect(text).toContain('J*** "***')
    expect(text).toContain("***.982.247-**")
  }
})

it("filters by status, and shows returned amounts", async () => {
  const { pix, issue, list } = await world()
  await using _ = pix
  const [paid, pending] = [await issue(), await issue()]
  await pix.pay(paid.id)
  await pix.refundPart(shop, paid.id, { key: "a", amountCents: 500 })
  const { html, text } = await list("?situacao=paid")
  expect(idsIn(html)).toEqual([paid.id])
  expect(text).toContain("Paga Devolvido: R$ 5,00")
  expect(idsIn((await list("?situacao=pending")).html)).toEqual([pending.id])
  await pix.expire(pending.id)
  expect(idsIn((await list("?situacao=expired")).html)).toEqual([pending.id])
})

it("searches with a form that keeps names and tax ids out of addresses", async () => {
  const { pix, bia, issue, send, search } = await world()
  await using _ = pix
  const found = await issue({ payer })
  await issue()
  for (const busca of ["joao", "João da S", "joao silva", "529.982.247-25", "52998224725"]) {
    const { status: sent, location = "" } = await send({ busca })
    expect([busca, sent, decodeURIComponent(location)]).toEqual([
      busca,
      303,
      expect.stringMatching(/\/cobrancas\?de=2027-02-01&ate=2027-03-10&procura=\d{13}\.[\w-]{16}\.[\w-]+$/),
    ])
    // A reload or the back button shows the same list.
    await bia.get(location)
    const { status, html, text } = await bia.get(location)
    expect([busca, status]).toEqual([busca, 200])
    expect(idsIn(html)).toEqual([found.id])
    expect(text).toContain("fica criptografado no endereço desta página")
    const addresses = [...html.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, address]) =>
      decodeURIComponent(address ?? ""),
    )
    expect(addresses.filter((address) => /jo[aã]o|5299|529\./i.test(address))).toEqual([])
  }
  const { pathname } = new URL((await search({ busca: "joao" })).url)
  for (const busca of ["joao", "529.982.247-25", "52998224725", "12ABC34501DE35", "deadbeef"]) {
    const { status, text, html } = await bia.get(
      pathname.replace("/portal", "") + `?busca=${encodeURIComponent(busca)}`,
    )
    expect([busca, status]).toEqual([busca, 422])
    expect(text).toContain("Por privacidade, nomes e documentos não são lidos do endereço")
    expect(html).not.toContain(busca)
  }
})

it("finds a charge by an id in an address that operators can share", async () => {
  const { pix, bia, issue, send } = await world()
  await using _ = pix
  const { id, txid } = await issue()
  await issue()
  const paid = await pix.pay(id)
  const endToEndId = "payment" in paid ? paid.payment.endToEndId : ""
  for (const busca of [id, txid, id.slice(0, 20), endToEndId]) {
    const { status, location = "" } = await send({ busca })
    expect([busca, status, location]).toEqual([busca, 303, expect.stringContaining(`busca=${busca}`)])
    expect(idsIn((await bia.get(location)).html)).toEqual([id])
  }
})

it("has pages with links to the next, the previous and the first page", async () => {
  const { pix, bia, list, search } = await world()
  await using _ = pix
  const ids: Array<string> = []
  for (let index = 0; index < 120; index++) {
    const id = randomUUID()
    await pix.issue(shop, { id, amountCents: 100, payer })
    ids.unshift(id)
    if (index % 40 === 0) await pix.clock.advance("1 second")
  }
  const linkIn = (html: string, text: string) =>
    new RegExp(`href="([^"]+)"[^>]*>\\s*${text}`).exec(html)?.[1]?.replaceAll("&amp;", "&")
  const seen: Array<string> = []
  let page = await list()
  expect(linkIn(page.html, "Voltar ao início")).toBeUndefined()
  for (;;) {
    seen.push(...idsIn(page.html))
    const next = linkIn(page.html, "Próxima página")
    if (next === undefined) break
    page = await bia.get(new URL(next, page.url).href)
    expect(page.text).toContain("De 23/02/2027 a 01/03/2027")
  }
  expect(seen.toSorted()).toEqual(ids.toSorted())
  expect(seen.length).toBe(120)
  const first = await bia.get(new URL(linkIn(page.html, "Voltar ao início") ?? "", page.url).href)
  expect(idsIn(first.html)).toEqual(idsIn((await list()).html))

  const back: Array<ReadonlyArray<string>> = []
  for (
    let index = linkIn(page.html, "Página anterior");
    index !== undefined;
    index = linkIn(page.html, "Página anterior")
  ) {
    page = await bia.get(new URL(index, page.url).href)
    back.push(idsIn(page.html))
  }
  expect(back).toEqual([seen.slice(50, 100), seen.slice(0, 50)])
  expect(linkIn(page.html, "Voltar ao início")).toBeUndefined()

  const found = await search({ busca: "joao" })
  const second = await bia.get(new URL(linkIn(found.html, "Próxima página") ?? "", found.url).href)
  expect(idsIn(second.html).length).toBe(50)
  expect(idsIn(second.html).some((id) => idsIn(found.html).includes(id))).toBe(false)
  expect(second.text).toContain("Voltar ao início")
  const again = await bia.get(new URL(linkIn(second.html, "Página anterior") ?? "", second.url).href)
  expect(idsIn(again.html)).toEqual(idsIn(found.html))
})

it("finds charges by a paid or unpaid amount and by a surname", async () => {
  const { pix, issue, search } = await world()
  await using _ = pix
  const [unpaid, paid] = [await issue({ amountCents: 123_456, payer }), await issue()]
  await pix.pay(paid.id)
  for (const busca of ["1.234,56", "R$ 1234,56", "silva", "da silv"]) {
    expect([busca, idsIn((await search({ busca })).html)]).toEqual([busca, [unpaid.id]])
  }
  expect(idsIn((await search({ busca: "19,90" })).html)).toEqual([paid.id])
  expect(idsIn((await search({ busca: "1.234,57" })).html)).toEqual([])
})

it("filters list and file by due date, day of payment and amount", async () => {
  const { pix, bia, issue, send, search } = await world()
  await using _ = pix
  const due = await issue({ amountCents: 123_456, dueDate: "2027-03-10" })
  const paid = await issue({ payer })
  await pix.pay(paid.id)
  const find = async (fields: Readonly<Record<string, string>>) => idsIn((await search(fields)).html)
  expect(await find({ "vencimento-de": "2027-03-10", "vencimento-ate": "10/03/2027" })).toEqual([due.id])
  expect(await find({ "vencimento-ate": "2027-03-09" })).toEqual([])
  expect(await find({ "pago-de": "2027-03-01", "pago-ate": "2027-03-01" })).toEqual([paid.id])
  expect(await find({ "pago-de": "2027-03-02" })).toEqual([])
  expect(await find({ "valor-de": "19,91" })).toEqual([due.id])
  expect(await find({ "valor-ate": "R$ 19,90" })).toEqual([paid.id])
  expect(await find({ "valor-de": "19,90", "valor-ate": "1.234,56" })).toHaveLength(2)
  expect(await find({ "valor-ate": "1.234,56", busca: "silva" })).toEqual([paid.id])

  const { location = "" } = await send({ "valor-de": "1.000,00", "vencimento-de": "2027-03-01" })
  const { html } = await bia.get(location)
  expect(html).toMatch(/name="valor-de"[^>]*value="1\.000,00"/)
  const file = /href="([^"]+cobrancas\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const rows = (await bia.get(new URL(file, location).href)).html.trim().split("\n")
  expect([rows.length, rows[1]?.includes(due.id)]).toEqual([2, true])
})

it.each([
  [{ "valor-de": "12.50" }, "Digite um valor em reais"],
  [{ "valor-de": "2", "valor-ate": "1,99" }, "O valor final é menor que o inicial."],
  [{ "pago-de": "ontem" }, "Informe uma data válida"],
  [{ "vencimento-de": "2027-03-02", "vencimento-ate": "2027-03-01" }, "não pode ser anterior"],
])("rejects an invalid filter: %o", async (fields: Readonly<Record<string, string>>, text) => {
  const { pix, send } = await world()
  await using _ = pix
  const answer = await send(fields)
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(text)])
})

it("finds a charge of any age by a complete id", async () => {
  const { pix, issue, list } = await world()
  await using _ = pix
  const { id, txid, transactionId } = await issue()
  const paid = await pix.pay(id)
  const endToEndId = "payment" in paid ? paid.payment.endToEndId : ""
  await pix.clock.advance("40 days")
  for (const busca of [id, txid, transactionId, endToEndId]) {
    const { html, text } = await list(`?busca=${busca}`)
    expect([busca, idsIn(html)]).toEqual([busca, [id]])
    expect(text).toContain("Em qualquer data")
  }
  // The start of an id can match many charges, so it is searched only within the period.
  expect(idsIn((await list(`?busca=${id.slice(0, 20)}`)).html)).toEqual([])
})

it("rejects a search address that is another operator's, changed or expired", async () => {
  const { pix, base, bia, issue, send } = await world()
  await using _ = pix
  const { id } = await issue({ payer })
  const { location = "" } = await send({ busca: "joao" })
  expect(idsIn((await bia.get(location)).html)).toEqual([id])
  const changed = location.replace(/[^.]([^.]*)$/, (end) => (end.startsWith("A") ? "B" : "A") + end.slice(1))
  const token = new URL(location).searchParams.get("procura") ?? ""
  const later = location.replace(token.slice(0, 13), String(Number(token.slice(0, 13)) + 1))
  const ana = makeOperator(base, "ana")
  const looks = [() => ana.get(location), () => bia.get(changed), () => bia.get(later), () => bia.get(location)]
  for (const [index, look] of looks.entries()) {
    if (index === 3) await pix.clock.advance("12 hours")
    const { status, html, text } = await look()
    expect([index, status, idsIn(html)]).toEqual([index, 422, []])
    expect(text).toContain("Esta busca expirou ou é de outra pessoa.")
  }
})

it("downloads charges and payments as files without formulas or payers' names", async () => {
  const { pix, base, issue, send } = await world()
  await using _ = pix
  const ids: Array<string> = []
  const metadata = { turma: "5B" }
  for (let index = 0; index < 620; index++)
    ids.push((await issue(index === 0 ? { payer: { ...payer, name: "=João" }, reference: "=1;2", metadata } : {})).id)
  const paid = await pix.pay(ids[0] ?? "")
  const read = async (path: string, user = "bia") => {
    const answer = await fetch(`${base}${path}`, { headers: { "x-user": user } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, lines: text.trimEnd().split("\r\n").slice(1) }
  }
  const charges = await read(`/${shop}/cobrancas.csv?de=2027-03-01&ate=2027-03-01`)
  expect(charges.headers.get("content-disposition")).toBe(
    `attachment; filename="cobrancas-${shop}-2027-03-01-2027-03-01.csv"`,
  )
  expect(charges.lines.map((line) => line.split(";")[0]).toSorted()).toEqual(ids.toSorted())
  expect(charges.text).not.toMatch(/João|52998224725/)
  const line = charges.lines.find((each) => each.startsWith(ids[0] ?? "none"))?.split(";") ?? []
  expect(line.slice(3, 5)).toEqual(["Paga", "1990"])
  expect(line[7]).toBe("'=*** · ***.982.247-**")
  expect(line.slice(-4)).toEqual(["payment" in paid && paid.payment.endToEndId, `"'=1`, `2"`, `"{""turma"":""5B""}"`])
  expect((await read(`/${shop}/cobrancas.csv?de=2027-03-01&ate=2027-03-01&situacao=paid`)).lines.length).toBe(1)
  const { location = "" } = await send({ busca: "529.982.247-25" })
  const token = new URL(location).search
  expect((await read(`/${shop}/cobrancas.csv${token}`)).lines.length).toBe(1)
  const payments = await read(`/${shop}/pagamentos.csv?de=2027-03-01&ate=2027-03-01`)
  expect(payments.lines.map((each) => each.split(";").slice(3))).toEqual([["1990", ids[0], "não", "não"]])
  expect((await read(`/${shop}/pagamentos.csv?de=2027-02-01&ate=2027-02-01`)).lines).toEqual([])
  expect((await read(`/${shop}/pagamentos.csv?de=x`)).status).toBe(422)
  expect((await read(`/${shop}/cobrancas.csv?situacao=x`)).status).toBe(422)
  expect((await read(`/${shop}/cobrancas.csv`, "rui")).status).toBe(403)
})

it("writes the reasons of refunds into the file, with formulas escaped", async () => {
  const { pix, base, issue } = await world()
  await using _ = pix
  const paid = async () => (await pix.pay((await issue()).id)).id
  const by = pix.by("bia")
  const [parts, whole, plain] = [await paid(), await paid(), await paid()]
  await by.refundPart(shop, parts, { key: randomUUID(), amountCents: 100, reason: '=1+1; "pequeno"' })
  await pix.clock.advance("1 minute")
  await by.refundPart(shop, parts, { key: randomUUID(), amountCents: 300, reason: "Troco" })
  await by.refund(shop, whole, { reason: "Produto em falta" })
  await by.refund(shop, plain)
  const answer = await fetch(`${base}/${shop}/cobrancas.csv`, { headers: { "x-user": "bia" } })
  const [header = "", ...lines] = (await answer.text()).trimEnd().split("\r\n")
  expect(header).toContain(";devolvido_centavos;motivos_devolucao;end_to_end_id;referencia;metadados")
  const ending = (id: string) =>
    lines.find((line) => line.startsWith(id))?.match(/;(\d+;(?:"(?:[^"]|"")*"|[^;"]*));\w+;;$/)?.[1]
  expect(ending(parts)).toBe(`400;"'=1+1; ""pequeno"" | Troco"`)
  expect(ending(whole)).toBe("1990;Produto em falta")
  expect(ending(plain)).toBe("1990;")
})

it.each([
  ["?de=2027-02-30", "de", "Informe uma data válida"],
  ["?de=ontem", "de", "Informe uma data válida"],
  ["?de=0001-01-01", "de", "Informe uma data válida"],
  ["?de=2027-03-01&ate=x", "ate", "Informe uma data válida"],
  ["?de=2027-03-02&ate=2027-03-01", "ate", "A data final não pode ser anterior à inicial."],
  ["?situacao=toString", "situacao", "Escolha uma das situações da lista."],
])("explains an invalid filter at its field: %s", async (query, field, expected) => {
  const { pix, issue, list } = await world()
  await using _ = pix
  await issue()
  const { status, html, text } = await list(query)
  expect(status).toBe(422)
  expect(text).toContain(expected)
  expect(html).toMatch(
    new RegExp(`id="${field}" name="${field}" aria-describedby="${field}-problem"\\s+aria-invalid="true"`),
  )
  expect(html).toMatch(new RegExp(`class="field-error" id="${field}-problem">${expected.slice(0, 10)}`))
  expect(idsIn(html)).toEqual([])
})

it("explains an invalid search text and an invalid cursor", async () => {
  const { pix, list, search } = await world()
  await using _ = pix
  const { status, text } = await search({ busca: "a".repeat(201) })
  expect([status, text]).toEqual([422, expect.stringContaining("Digite até 200 caracteres.")])
  const lost = await list("?cursor=1_2")
  expect([lost.status, lost.text]).toEqual([422, expect.stringContaining("Esta página da lista não existe mais.")])
})

it("says that the list is empty", async () => {
  const { pix, list } = await world()
  await using _ = pix
  const { status, text } = await list("?de=2027-02-01&ate=2027-02-02&situacao=paid")
  expect(status).toBe(200)
  expect(text).toContain("Nenhuma cobrança neste período com este filtro.")
  expect(text).toContain("De 01/02/2027 a 02/02/2027")
})

it("costs one store call for each page", async () => {
  const { store, calls } = countedStore()
  const { pix, issue, list, search } = await world({ store })
  await using _ = pix
  const costs: Array<ReadonlyArray<string>> = []
  for (const many of [1, 300]) {
    for (let index = 0; index < many; index++) await issue({ payer })
    for (const look of [() => list(), () => list("?situacao=pending"), () => search({ busca: "joao" })]) {
      calls.length = 0
      await look()
      costs.push([...calls])
    }
  }
  const one = ["ChargeLists.charges"]
  expect(costs.map((cost) => cost.map((call) => call.split("/").at(-1)))).toEqual([
    one,
    one,
    [...one, ...one],
    one,
    one,
    [...one, ...one],
  ])
})
