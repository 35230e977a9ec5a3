import { bankWays, type reshaping } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { openBank, refusal, shop } from "./recurring/openBank.ts"

const terms = { calendario: { expiracao: 600 }, valor: { original: "1.00" }, chave: shop.pixKeys[0] }
const payer = { cpf: "12345678909", nome: "Maria" }
const dated = { ...terms, calendario: { dataDeVencimento: "2026-12-05" }, devedor: payer }

/** A period of two days, which ends after the bank's current time. */
const period = "inicio=2026-12-01T00:00:00Z&fim=2026-12-03T00:00:00Z"

/** Null fields, as clients write absent values. */
const nulls = { solicitacaoPagador: null, infoAdicionais: null, devedor: null, loc: null }

const txidsIn = ({ body }: Awaited<ReturnType<Awaited<ReturnType<typeof openBank>>["call"]>>) =>
  (body as unknown as { readonly cobs: ReadonlyArray<{ readonly txid: string }> }).cobs.map(({ txid }) => txid)

describe("POST /cob", () => {
  it("makes a new charge for each call, with a txid that the bank chooses", async () => {
    const { bank, call } = await openBank()
    const made = [await call("POST", "/cob", terms), await call("POST", "/cob", terms)]
    expect(made.map(({ status, body }) => [status, body.status])).toEqual([
      [201, "ATIVA"],
      [201, "ATIVA"],
    ])
    const txids = made.map(({ body }) => body.txid)
    expect(new Set(txids).size).toBe(2)
    for (const txid of txids) expect(txid).toMatch(/^[a-zA-Z0-9]{26,35}$/)
    const [txid = ""] = txids
    bank.pay(shop.cnpj, txid)
    expect((await call("GET", `/cob/${txid}`)).body).toMatchObject({
      status: "CONCLUIDA",
      calendario: { expiracao: 600 },
    })
  })

  it("rejects a faulty POST like a faulty PUT", async () => {
    const { call } = await openBank()
    const refused = await call("POST", "/cob", { ...terms, chave: "vizinha@example.com" })
    expect(refusal(refused)).toEqual([400, "CobOperacaoInvalida", "cob.chave"])
  })

  it("answers a POST /cob with 404 at a bank without this operation", async () => {
    const lacks = bankWays.pagbank.production.lacks ?? []
    const { call } = await openBank({ ways: { lacks } })
    expect(refusal(await call("POST", "/cob", terms))).toEqual([404, "NaoEncontrado", undefined])
  })
})

describe("a token", () => {
  it.each([
    ["cob.read pix.read", 403],
    ["cob.read cob.write", 201],
    ["", 201],
    [undefined, 201],
  ])("issues for the scope %j a token with which a write returns %i", async (scope, status) => {
    const { bank } = await openBank()
    const form = { grant_type: "client_credentials", client_id: shop.clientId, client_secret: shop.clientSecret }
    const body = new URLSearchParams({ ...form, ...(scope !== undefined && { scope }) })
    const tokenAnswer = await fetch(`${bank.baseUrl}/oauth/token`, { method: "POST", body })
    const { access_token: token } = (await tokenAnswer.json()) as { readonly access_token: string }
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const sent = { method: "POST", headers, body: JSON.stringify(terms) }
    expect((await fetch(`${bank.baseUrl}/api/v2/cob`, sent)).status).toBe(status)
  })
})

const sharing = (fees: object) => ({ ...dated, valor: { original: "1.00", ...fees } })
const dueOn = (calendario: object) => ({ ...dated, calendario: { dataDeVencimento: "2026-12-05", ...calendario } })
const fixedUntil = (data: string) => ({ modalidade: 1, descontoDataFixa: [{ data, valorPerc: "0.10" }] })

describe("a charge that breaks the schema", () => {
  it.each([
    ["cob", { ...terms, calendario: { expiracao: 1.5 } }, "calendario.expiracao"],
    ["cob", { ...terms, devedor: { ...payer, cnpj: "12345678000195" } }, "devedor"],
    ["cob", { ...terms, devedor: { ...payer, nome: "x".repeat(201) } }, "devedor"],
    ["cob", { ...terms, devedor: { ...payer, email: "maria@example.com" } }, "devedor"],
    ["cobv", { ...dated, devedor: { ...payer, email: 7 } }, "devedor"],
    ["cobv", { ...dated, devedor: { ...payer, logradouro: "x".repeat(201) } }, "devedor"],
    ["cobv", { ...dated, devedor: { ...payer, cidade: "x".repeat(201) } }, "devedor"],
    ["cobv", { ...dated, devedor: { ...payer, uf: "SPX" } }, "devedor"],
    ["cobv", { ...dated, devedor: { ...payer, cep: "01310-100" } }, "devedor"],
    ["cobv", dueOn({ dataDeVencimento: "2026-13-45" }), "calendario.dataDeVencimento"],
    ["cobv", dueOn({ dataDeVencimento: "2027-02-31" }), "calendario.dataDeVencimento"],
    ["cobv", dueOn({ validadeAposVencimento: "x" }), "calendario.validadeAposVencimento"],
    ["cobv", dueOn({ validadeAposVencimento: -3 }), "calendario.validadeAposVencimento"],
    ["cobv", sharing({ multa: { modalidade: 3, valorPerc: "2.00" } }), "valor.multa"],
    ["cobv", sharing({ multa: { modalidade: 2, valorPerc: 2 } }), "valor.multa"],
    ["cobv", sharing({ juros: { modalidade: 9, valorPerc: "2.00" } }), "valor.juros"],
    ["cobv", sharing({ abatimento: { valorPerc: "2.00" } }), "valor.abatimento"],
    ["cobv", sharing({ desconto: { modalidade: 3 } }), "valor.desconto"],
    ["cobv", sharing({ desconto: { modalidade: 1, descontoDataFixa: [] } }), "valor.desconto"],
    ["cobv", sharing({ desconto: fixedUntil("2026-12-06") }), "valor.desconto"],
  ])("rejects a %s that breaks the schema: %j", async (kind, body, property) => {
    const { call, newTxid } = await openBank()
    const { status, body: answered } = await call("PUT", `/${kind}/${newTxid()}`, body)
    expect([status, answered.violacoes?.[0]?.propriedade]).toEqual([400, `${kind}.${property}`])
  })

  it("keeps the e-mail and the address of a due-date charge's payer", async () => {
    const { call, newTxid } = await openBank()
    const address = { logradouro: "Rua A, 1", cidade: "Recife", uf: "PE", cep: "50010000" }
    const devedor = { ...payer, email: "maria@example.com", ...address }
    const txid = newTxid()
    expect((await call("PUT", `/cobv/${txid}`, { ...dated, devedor })).status).toBe(201)
    expect((await call("GET", `/cobv/${txid}`)).body).toMatchObject({ devedor })
  })

  it("accepts a charge with fees of every kind", async () => {
    const { call, newTxid } = await openBank()
    for (const fees of [
      { multa: { modalidade: 2, valorPerc: "2.00" }, juros: { modalidade: 8, valorPerc: "1.00" } },
      { abatimento: { modalidade: 1, valorPerc: "0.10" }, desconto: fixedUntil("2026-12-05") },
      { desconto: { modalidade: 6, valorPerc: "0.10" } },
    ])
      expect((await call("PUT", `/cobv/${newTxid()}`, sharing(fees))).status).toBe(201)
  })
})

describe("null fields", () => {
  it("treats null as an absent field in a charge, a due-date charge, a change and a return", async () => {
    const { bank, call, newTxid } = await openBank()
    const [txid, due] = [newTxid(), newTxid()]
    const made = await call("PUT", `/cob/${txid}`, { ...terms, ...nulls })
    expect([made.status, Object.keys(made.body)]).toEqual([
      201,
      expect.not.arrayContaining(Object.keys(nulls).slice(0, 3)),
    ])
    const devedor = { ...payer, cnpj: null, email: null }
    expect((await call("PUT", `/cobv/${due}`, { ...dated, ...nulls, devedor })).body).toMatchObject({ devedor: payer })
    expect((await call("PATCH", `/cob/${txid}`, { valor: { original: "2.00" }, status: null })).status).toBe(200)
    const { endToEndId } = bank.pay(shop.cnpj, txid)
    const back = { valor: "2.00", natureza: null, descricao: null }
    expect((await call("PUT", `/pix/${endToEndId}/devolucao/1`, back)).status).toBe(201)
  })

  it("rejects null in a required field, and as an entry of a list", async () => {
    const { call, newTxid } = await openBank()
    for (const [property, change] of [
      ["chave", { chave: null }],
      ["valor.original", { valor: { original: null } }],
      ["infoAdicionais", { infoAdicionais: [null] }],
    ] as const) {
      const refused = await call("PUT", `/cob/${newTxid()}`, { ...terms, ...change })
      expect(refusal(refused)).toEqual([400, "CobOperacaoInvalida", `cob.${property}`])
    }
    expect(refusal(await call("PUT", `/cob/${newTxid()}`, null))).toEqual([400, "CobOperacaoInvalida", "cob.body"])
  })
})

describe("a changed charge", () => {
  it("has a number for each change, and shows the terms of each", async () => {
    const { call, newTxid } = await openBank()
    for (const [kind, first] of [
      ["cob", terms],
      ["cobv", dated],
    ] as const) {
      const txid = newTxid()
      await call("PUT", `/${kind}/${txid}`, first)
      for (const [revisao, original] of ["2.00", "3.00"].entries())
        expect((await call("PATCH", `/${kind}/${txid}`, { valor: { original } })).body).toMatchObject({
          revisao: revisao + 1,
          valor: { original },
        })
      for (const [revisao, original] of ["1.00", "2.00", "3.00"].entries()) {
        const { status, body } = await call("GET", `/${kind}/${txid}?revisao=${revisao}`)
        expect(status).toBe(200)
        expect(body).toMatchObject({ revisao, valor: { original }, status: "ATIVA" })
      }
      expect((await call("GET", `/${kind}/${txid}`)).body).toMatchObject({ revisao: 2, valor: { original: "3.00" } })
      const wrong = [400, kind === "cob" ? "CobConsultaInvalida" : "CobVConsultaInvalida", "revisao"]
      for (const revisao of ["3", "-1", "x", ""])
        expect(refusal(await call("GET", `/${kind}/${txid}?revisao=${revisao}`))).toEqual(wrong)
    }
  })

  it("is paid by the terms that the payer's app had read", async () => {
    const { bank, call, newTxid } = await openBank()
    const [scheduled, usual] = [newTxid(), newTxid()]
    for (const txid of [scheduled, usual]) {
      await call("PUT", `/cob/${txid}`, terms)
      await call("PATCH", `/cob/${txid}`, { valor: { original: "2.00" } })
    }
    expect(bank.pay(shop.cnpj, scheduled, { revision: 0 })).toMatchObject({ amountCents: 100, revision: 0 })
    expect(bank.pay(shop.cnpj, usual)).toMatchObject({ amountCents: 200, revision: 1 })
    expect(() => bank.pay(shop.cnpj, usual, { revision: 2 })).toThrow("no payable charge")
    expect((await call("GET", `/cob/${scheduled}`)).body).toMatchObject({
      status: "CONCLUIDA",
      valor: { original: "2.00" },
      pix: [{ valor: "1.00" }],
    })
  })

  it("stays as it is at a bank that refuses changes, but can be removed", async () => {
    const { call, newTxid } = await openBank({ ways: { patchOfTerms: "refuses" } })
    const txid = newTxid()
    await call("PUT", `/cob/${txid}`, terms)
    const refused = await call("PATCH", `/cob/${txid}`, { valor: { original: "2.00" } })
    expect(refusal(refused)).toEqual([400, "CobOperacaoInvalida", "cob.valor"])
    expect((await call("GET", `/cob/${txid}`)).body).toMatchObject({ revisao: 0, valor: { original: "1.00" } })
    expect((await call("PATCH", `/cob/${txid}`, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })).status).toBe(200)
  })

  it("is changed if the answer is lost, and isn't if the request is lost", async () => {
    const { bank, call, newTxid } = await openBank()
    const txid = newTxid()
    await call("PUT", `/cob/${txid}`, terms)
    for (const [fault, original] of [
      ["RequestLost", "1.00"],
      ["AnswerLost", "2.00"],
    ] as const) {
      const end = bank.faults.add({ _tag: fault }, ({ method }) => method === "PATCH")
      await expect(call("PATCH", `/cob/${txid}`, { valor: { original: "2.00" } })).rejects.toThrow()
      end()
      expect((await call("GET", `/cob/${txid}`)).body).toMatchObject({ valor: { original } })
    }
  })
})

describe("a return", () => {
  it("accepts a return only with the nature of an ordinary payment", async () => {
    const { bank, call } = await openBank()
    const { endToEndId } = bank.payToKey("loja@example.com", 100)
    const ask = (natureza: string) =>
      call("PUT", `/pix/${endToEndId}/devolucao/${natureza}`, { valor: "0.10", natureza })
    for (const natureza of ["RETIRADA", "OUTRA"])
      expect(refusal(await ask(natureza))).toEqual([400, "PixDevolucaoInvalida", "devolucao.natureza"])
    expect((await ask("ORIGINAL")).status).toBe(201)
  })
})

describe("lists", () => {
  it("filters charges by kind, status, payer and location, in periods that can end in the future", async () => {
    const { bank, call, callAs, newTxid } = await openBank()
    const [paid, removed, due] = [newTxid(), newTxid(), newTxid()]
    for (const txid of [paid, removed]) await call("PUT", `/cob/${txid}`, { ...terms, devedor: payer })
    const { txid: own } = (await call("POST", "/cob", terms)).body
    await call("PUT", `/cobv/${due}`, dated)
    await callAs("vizinha", "POST", "/cob", { ...terms, chave: "vizinha@example.com" })
    bank.pay(shop.cnpj, paid)
    bank.remove(shop.cnpj, removed)
    const list = async (kind: string, more = "") => txidsIn(await call("GET", `/${kind}?${period}${more}`))
    expect(await list("cob")).toEqual([paid, removed, own])
    expect(await list("cobv")).toEqual([due])
    expect(await list("cobv/")).toEqual([due])
    expect(await list("cob", "&status=CONCLUIDA")).toEqual([paid])
    expect(await list("cob", "&cpf=12345678909")).toEqual([paid, removed])
    expect(await list("cob", "&locationPresente=false")).toEqual([])
    const { parametros } = (await call("GET", `/cob?${period}&status=ATIVA&locationPresente=true&other=1`)).body
    expect(Object.keys(parametros)).toEqual(["inicio", "fim", "status", "locationPresente", "paginacao"])
    expect(parametros).toMatchObject({ status: "ATIVA", locationPresente: true })
    expect(await list("cob", "&paginacao.itensPorPagina=2&paginacao.paginaAtual=1")).toEqual([own])
    expect(txidsIn(await call("GET", "/cob?inicio=2026-11-01T00:00:00Z&fim=2026-11-30T00:00:00Z"))).toEqual([])
  })

  it.each([
    ["cob", "CobConsultaInvalida", "cpf", `${period}&cpf=12345678909&cnpj=12345678000195`],
    ["cob", "CobConsultaInvalida", "cob.inicio", "inicio=2026-12-01T00:00:00Z"],
    ["cobv", "CobVConsultaInvalida", "paginacao", `${period}&paginacao.itensPorPagina=0`],
    ["loc", "PayloadLocationConsultaInvalida", "paginacao", `${period}&paginacao.paginaAtual=-1`],
    ["cobv", "CobVConsultaInvalida", "paginacao", `${period}&paginacao.itensPorPagina=1.5`],
    ["cob", "CobConsultaInvalida", "cob.locationPresente", `${period}&locationPresente=1`],
    ["pix", "PixConsultaInvalida", "pix.txIdPresente", `${period}&txIdPresente=True`],
    ["pix", "PixConsultaInvalida", "cpf", `${period}&cpf=12345678909&cnpj=12345678000195`],
    ["webhook", "WebhookConsultaInvalida", "webhook.inicio", "inicio=2026-12-03T00:00:00Z"],
  ])("refuses a list of %s as %s for a wrong %s", async (resource, kind, property, query) => {
    const { call } = await openBank()
    expect(refusal(await call("GET", `/${resource}?${query}`))).toEqual([400, kind, property])
  })

  it("filters payments by the presence of a txid or a return", async () => {
    const { bank, call, newTxid } = await openBank()
    const txid = newTxid()
    await call("PUT", `/cob/${txid}`, terms)
    const named = bank.pay(shop.cnpj, txid).endToEndId
    const bare = bank.payToKey("loja@example.com", 100).endToEndId
    bank.returnOutside(bare, 1, "ORIGINAL")
    const list = async (more: string) => {
      const { pix } = (await call("GET", `/pix?${period}&${more}`)).body as unknown as {
        readonly pix: ReadonlyArray<{ readonly endToEndId: string }>
      }
      return pix.map(({ endToEndId }) => endToEndId)
    }
    expect(await list("txIdPresente=true")).toEqual([named])
    expect(await list("txIdPresente=false")).toEqual([bare])
    expect(await list("devolucaoPresente=true")).toEqual([bare])
    expect(await list(`txid=${txid}`)).toEqual([named])
  })

  it("filters payments by the payer that their charge names", async () => {
    const { bank, call, newTxid } = await openBank()
    const txid = newTxid()
    await call("PUT", `/cob/${txid}`, { ...terms, devedor: payer })
    const { endToEndId } = bank.pay(shop.cnpj, txid)
    bank.payToKey("loja@example.com", 100)
    const list = async (more: string) => (await call("GET", `/pix?${period}&${more}`)).body.pix
    expect(await list("cpf=12345678909")).toMatchObject([{ endToEndId }])
    expect(await list("cpf=52998224725")).toEqual([])
    expect(await list("cnpj=12345678000195")).toEqual([])
  })

  it("accepts a list's period that ends in the future unless the bank refuses it", async () => {
    const { call } = await openBank({ ways: { refusesPeriod: (_, to, now) => to > now } })
    expect(refusal(await call("GET", `/pix?${period}`))).toEqual([400, "PixConsultaInvalida", "pix.fim"])
    const { call: ask } = await openBank()
    expect((await ask("GET", `/pix?${period}`)).status).toBe(200)
  })

  it("lists only webhooks whose addresses can be called", async () => {
    const { call } = await openBank()
    for (const webhookUrl of ["ftp://loja.example", "javascript:1"]) {
      const refused = await call("PUT", "/webhook/loja@example.com", { webhookUrl })
      expect(refusal(refused)).toEqual([400, "WebhookOperacaoInvalida", "webhook.webhookUrl"])
    }
  })

  it("lists the webhooks of the company, with or without a period", async () => {
    const { call, callAs } = await openBank()
    const webhookUrl = "https://loja.example/hook"
    await call("PUT", "/webhook/loja@example.com", { webhookUrl })
    await callAs("vizinha", "PUT", "/webhook/vizinha@example.com", { webhookUrl })
    const webhooks = [{ webhookUrl, chave: "loja@example.com", cnpj: shop.cnpj, criacao: "2026-12-01T12:00:00.000Z" }]
    expect((await call("GET", "/webhook")).body).toMatchObject({ webhooks })
    expect((await call("GET", `/webhook?${period}`)).body).toMatchObject({ webhooks })
    expect((await call("GET", "/webhook?fim=2026-11-01T00:00:00Z")).body).toMatchObject({ webhooks: [] })
  })

  // Efí's list has a different form, and Itaú's look-ups have times in a different zone.
  it.each(Object.keys(bankWays).filter((name) => !["efi", "itau", "itauRegulatorio"].includes(name)))(
    "lists charges in the form of a look-up at %s",
    async (name) => {
      const { reshape } = bankWays[name as keyof typeof bankWays].production as { reshape?: reshaping.Reshape }
      const { call, newTxid } = await openBank({ ways: { ...(reshape && { reshape }) }, isSound: false })
      const txid = newTxid()
      await call("PUT", `/cob/${txid}`, terms)
      const { body } = await call("GET", `/cob/${txid}`)
      const { cobs } = (await call("GET", `/cob?${period}`)).body as unknown as { readonly cobs: ReadonlyArray<object> }
      expect(cobs.map((one) => Object.keys(one).toSorted())).toEqual([Object.keys(body).toSorted()])
    },
  )
})

describe("a location", () => {
  it("links a location to one charge of the location's kind", async () => {
    const { call, callAs, newTxid } = await openBank()
    const [cob, cobv] = [
      await call("POST", "/loc", { tipoCob: "cob" }),
      await call("POST", "/loc", { tipoCob: "cobv" }),
    ]
    expect([cob.status, cob.body]).toEqual([
      201,
      { id: 1, tipoCob: "cob", location: expect.any(String), criacao: expect.any(String) },
    ])
    const txid = newTxid()
    const put = (id: number, one = txid) => call("PUT", `/cob/${one}`, { ...terms, loc: { id } })
    const { body } = await put(cob.body.id)
    expect(body).toMatchObject({ location: cob.body.location, loc: cob.body })
    expect(body.pixCopiaECola).toContain(cob.body.location)
    expect((await call("GET", "/loc/1")).body).toEqual({ ...cob.body, txid })
    expect((await put(1)).body).toMatchObject({ revisao: 0, location: cob.body.location })
    for (const id of [1, cobv.body.id, 99])
      expect(refusal(await put(id, newTxid()))).toEqual([400, "CobOperacaoInvalida", "cob.loc.id"])
    const theirs = { ...terms, chave: "vizinha@example.com", loc: { id: 1 } }
    expect(refusal(await callAs("vizinha", "POST", "/cob", theirs))).toEqual([400, "CobOperacaoInvalida", "cob.loc.id"])
    expect(refusal(await callAs("vizinha", "GET", "/loc/1"))).toEqual([404, "PayloadLocationNaoEncontrado", undefined])
    expect(refusal(await call("POST", "/loc", { tipoCob: "rec" }))).toEqual([
      400,
      "PayloadLocationOperacaoInvalida",
      "loc.tipoCob",
    ])
  })

  it("frees a location whose charge moves to a different location", async () => {
    const { call } = await openBank()
    const { txid, loc } = (await call("POST", "/cob", terms)).body
    const id = loc?.id ?? 0
    const freed = await call("DELETE", `/loc/${id}/txid`)
    expect([freed.status, freed.body]).toEqual([200, loc])
    const { body } = await call("GET", `/cob/${txid}`)
    expect([body.status, body.loc, body.location, body.pixCopiaECola]).toEqual([
      "ATIVA",
      undefined,
      undefined,
      undefined,
    ])
    expect((await call("GET", `/cob/${txid}?${period}`)).body).toEqual(body)
    expect((await call("POST", "/cob", { ...terms, loc: { id } })).body.loc).toEqual(loc)
    await call("POST", "/loc", { tipoCob: "cob" })
    expect((await call("PATCH", `/cob/${txid}`, { loc: { id: 2 } })).body).toMatchObject({ revisao: 1, loc: { id: 2 } })
    expect((await call("PATCH", `/cob/${txid}`, { valor: { original: "2.00" } })).body.loc?.id).toBe(2)
    expect(refusal(await call("DELETE", "/loc/9/txid"))).toEqual([404, "PayloadLocationNaoEncontrado", undefined])
  })

  it("lists locations by kind and by the presence of a charge", async () => {
    const { call, newTxid } = await openBank()
    await call("POST", "/cob", terms)
    await call("PUT", `/cobv/${newTxid()}`, dated)
    await call("POST", "/loc", { tipoCob: "cob" })
    const list = async (more = "") => {
      const { body } = await call("GET", `/loc?${period}${more}`)
      return (body.loc as unknown as ReadonlyArray<{ readonly id: number }>).map(({ id }) => id)
    }
    expect(await list()).toEqual([1, 2, 3])
    expect(await list("&tipoCob=cob")).toEqual([1, 3])
    expect(await list("&txIdPresente=true")).toEqual([1, 2])
    expect(await list("&txIdPresente=false&tipoCob=cobv")).toEqual([])
  })

  it("requires the scope of locations for a location", async () => {
    const accounts = [{ ...shop, scopes: ["loc.read", "cob.read"] }]
    const { call } = await openBank({ accounts })
    expect(refusal(await call("GET", "/loc/1"))).toEqual([403, "AcessoNegado", undefined])
  })
})

it.each([
  ["GET", "/lotecobv"],
  ["PUT", "/lotecobv/1"],
  ["GET", "/loc/1/qrcode"],
  ["DELETE", `/cob/${"x".repeat(26)}`],
  ["DELETE", "/webhook"],
  ["POST", "/pix"],
  ["GET", "/pix/E1/pagador"],
  ["GET", "/loc/1/txid"],
])("answers %s %s with a missing resource in the API's form", async (method, path) => {
  const { call } = await openBank()
  const answer = await call(method, path)
  expect(refusal(answer)).toEqual([404, "NaoEncontrado", undefined])
  expect(answer.body).toMatchObject({ detail: `this bank has no ${method} ${path}` })
})

it("accepts either name of Sicoob's client header", async () => {
  const { wants } = bankWays.sicoob.production
  const { bank } = await openBank({ ways: { ...(wants && { wants }) } })
  const authorization = `Basic ${Buffer.from("loja:secret").toString("base64")}`
  const form = new URLSearchParams({ grant_type: "client_credentials" })
  const token = await fetch(`${bank.baseUrl}/oauth/token`, { method: "POST", headers: { authorization }, body: form })
  const { access_token: given } = (await token.json()) as { readonly access_token: string }
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${bank.baseUrl}/api/v2/pix?${period}`, { headers: { authorization: `Bearer ${given}`, ...headers } }))
      .status
  expect(await ask({ client_id: "loja" })).toBe(200)
  expect(await ask({ "x-sicoob-clientid": "loja" })).toBe(200)
  expect(await ask({})).toBe(403)
  expect(await ask({ client_id: "vizinha" })).toBe(403)
})
