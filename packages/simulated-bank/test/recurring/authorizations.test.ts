import { describe, expect, it } from "vitest"
import { brasilia, monthly, openBank, refusal, shop } from "./openBank.ts"

const invalid = (property: string) => [400, "RecOperacaoInvalida", `rec.${property}`]

const cobTerms = { calendario: { expiracao: 600 }, valor: { original: "49.90" }, chave: shop.pixKeys[0] }
const cobvTerms = {
  ...cobTerms,
  calendario: { dataDeVencimento: "2026-12-05" },
  devedor: { cpf: "12345678909", nome: "Maria" },
}

const template = (id: number, location = ""): string => {
  const fields = `0014br.gov.bcb.pix25${location.length}${location}`
  return `${id}${fields.length}${fields}`
}

describe("POST /rec", () => {
  it("makes a new recurrence for each call, with ids in the API's format", async () => {
    const { bank, call } = await openBank()
    const [first, second] = [await call("POST", "/rec", monthly), await call("POST", "/rec", monthly)]
    const { loc: _, ...rest } = { ...first.body }
    expect([first.status, rest]).toMatchObject([
      201,
      {
        ...monthly,
        status: "CRIADA",
        recebedor: { cnpj: shop.cnpj },
        ativacao: { tipoJornada: "AGUARDANDO_DEFINICAO" },
      },
    ])
    expect(first.body.idRec).toMatch(/^RR1234567820261201\w{11}$/)
    expect(second.body.idRec).not.toBe(first.body.idRec)
    expect(bank.recurring.ledger.recs.size).toBe(2)
    const { body } = await call("POST", "/rec", { ...monthly, politicaRetentativa: "NAO_PERMITE" })
    expect(body.idRec).toMatch(/^RN12345678/)
  })

  it.each([
    ["vinculo.contrato", { vinculo: { ...monthly.vinculo, contrato: "x".repeat(36) } }],
    ["vinculo.objeto", { vinculo: { ...monthly.vinculo, objeto: "x".repeat(36) } }],
    ["vinculo.devedor", { vinculo: { ...monthly.vinculo, devedor: { nome: "Maria" } } }],
    ["vinculo.devedor", { vinculo: { ...monthly.vinculo, devedor: { cpf: "1", nome: "Maria" } } }],
    ["calendario.dataInicial", { calendario: { dataInicial: "2026-11-30", periodicidade: "MENSAL" } }],
    ["calendario.dataFinal", { calendario: { ...monthly.calendario, dataFinal: "2026-12-09" } }],
    ["calendario.periodicidade", { calendario: { dataInicial: "2026-12-10", periodicidade: "QUINZENAL" } }],
    ["valor.valorRec", { valor: { valorRec: 49.9 } }],
    ["valor.valorMinimoRecebedor", { valor: { valorRec: "49.90", valorMinimoRecebedor: "1.00" } }],
    ["politicaRetentativa", { politicaRetentativa: undefined }],
    ["recebedor.convenio", { recebedor: { convenio: "c" } }],
    ["loc", { loc: 99 }],
    ["ativacao.dadosJornada.txid", { ativacao: { dadosJornada: { txid: "x".repeat(26) } } }],
  ])("rejects a wrong %s", async (property, change) => {
    const { call } = await openBank()
    expect(refusal(await call("POST", "/rec", { ...monthly, ...change }))).toEqual(invalid(property))
  })

  it("rejects a location that shows a different recurrence or belongs to another company", async () => {
    const { call, callAs, offer } = await openBank()
    await offer()
    expect(refusal(await call("POST", "/rec", { ...monthly, loc: 1 }))).toEqual(invalid("loc"))
    for (const [method, path] of [
      ["GET", "/locrec/1"],
      ["DELETE", "/locrec/1/idRec"],
    ] as const) {
      const theirs = refusal(await callAs("vizinha", method, path))
      expect(theirs).toEqual([404, "PayloadLocationRecNaoEncontrado", undefined])
    }
    await call("DELETE", "/locrec/1/idRec")
    expect(refusal(await callAs("vizinha", "POST", "/rec", { ...monthly, loc: 1 }))).toEqual(invalid("loc"))
    expect((await call("POST", "/rec", { ...monthly, loc: 1 })).body.loc).toMatchObject({ id: 1 })
  })
})

describe("a payer", () => {
  it("approves a recurrence by the code of its location (journey 2)", async () => {
    const { bank, offer, call } = await openBank()
    const idRec = await offer()
    const { body } = await call("GET", `/rec/${idRec}`)
    expect(body.dadosQR?.jornada).toBe("JORNADA_2")
    expect(body.dadosQR?.pixCopiaECola).toContain("26180014br.gov.bcb.pix5204")
    expect(body.dadosQR?.pixCopiaECola).toContain(template(80, body.loc?.location))
    bank.recurring.approve(idRec)
    const { body: shown } = await call("GET", `/rec/${idRec}`)
    expect(shown).toMatchObject({
      status: "APROVADA",
      ativacao: { tipoJornada: "JORNADA_2" },
      pagador: { cpf: "12345678909", codMun: "3550308" },
    })
    expect(shown.dadosQR).toBeUndefined()
    expect(() => bank.recurring.approve(idRec)).toThrow("is APROVADA")
  })

  it("doesn't approve a recurrence without a request or a location", async () => {
    const { bank, call } = await openBank()
    const { idRec } = (await call("POST", "/rec", monthly)).body
    expect((await call("GET", `/rec/${idRec}`)).body.dadosQR).toBeUndefined()
    expect(() => bank.recurring.approve(idRec)).toThrow("neither a request nor a location")
    expect(() => bank.recurring.approve("RR")).toThrow("no recurrence RR")
  })

  it("approves a recurrence by paying its first charge (journey 3), whose code contains both", async () => {
    const { bank, call, callAs, newTxid } = await openBank()
    const [txid, other, dated] = [newTxid(), newTxid(), newTxid()]
    for (const one of [txid, other]) await call("PUT", `/cob/${one}`, cobTerms)
    await call("PUT", `/cobv/${dated}`, cobvTerms)
    await call("POST", "/locrec")
    const { idRec } = (await call("POST", "/rec", { ...monthly, loc: 1, ativacao: { dadosJornada: { txid } } })).body
    const { body } = await call("GET", `/rec/${idRec}?txid=${txid}`)
    expect(body.dadosQR?.jornada).toBe("JORNADA_3")
    const { location } = (await call("GET", `/cob/${txid}`)).body
    expect(body.dadosQR?.pixCopiaECola).toContain(template(26, location))
    expect(body.dadosQR?.pixCopiaECola).toContain(template(80, body.loc?.location))
    const datedFirstCharge = await call("POST", "/rec", { ...monthly, ativacao: { dadosJornada: { txid: dated } } })
    expect(refusal(datedFirstCharge)).toEqual(invalid("ativacao.dadosJornada.txid"))
    expect(refusal(await call("GET", `/rec/${idRec}?txid=${other}`))).toEqual([400, "RecConsultaInvalida", "txid"])
    await callAs("vizinha", "PUT", `/cob/${txid}`, { ...cobTerms, chave: "vizinha@example.com" })
    bank.pay("98765432000198", txid)
    bank.pay(shop.cnpj, other)
    bank.pay(shop.cnpj, txid, { byOwnCode: true })
    const { status, pagador } = (await call("GET", `/rec/${idRec}`)).body
    expect([status, pagador]).toEqual(["CRIADA", undefined])
    bank.pay(shop.cnpj, txid)
    expect((await call("GET", `/rec/${idRec}`)).body).toMatchObject({
      status: "APROVADA",
      ativacao: { tipoJornada: "JORNADA_3", dadosJornada: { txid } },
    })
  })

  it("approves a recurrence with a first charge by the recurrence's code alone", async () => {
    const { bank, call, newTxid } = await openBank()
    const txid = newTxid()
    await call("PUT", `/cob/${txid}`, cobTerms)
    await call("POST", "/locrec")
    const { idRec } = (await call("POST", "/rec", { ...monthly, loc: 1, ativacao: { dadosJornada: { txid } } })).body
    bank.recurring.approve(idRec)
    expect((await call("GET", `/rec/${idRec}`)).body.ativacao).toEqual({ tipoJornada: "JORNADA_2" })
  })

  it("approves a recurrence with the code of a due-date charge (journey 4)", async () => {
    const { bank, call, offer, newTxid } = await openBank()
    const [idRec, txid] = [await offer(), newTxid()]
    await call("PUT", `/cobv/${txid}`, cobvTerms)
    const { body } = await call("GET", `/rec/${idRec}?txid=${txid}`)
    expect([body.dadosQR?.jornada, body.dadosQR?.pixCopiaECola.includes("/qr/v2/cobv/")]).toEqual(["JORNADA_4", true])
    bank.pay(shop.cnpj, txid)
    expect((await call("GET", `/rec/${idRec}`)).body.status).toBe("CRIADA")
    bank.recurring.approve(idRec, { journey: "JORNADA_4" })
    expect((await call("GET", `/rec/${idRec}`)).body.ativacao).toEqual({ tipoJornada: "JORNADA_4" })
  })

  it.each([
    ["decline", "REJEITADA", { rejeicao: { codigo: "AP14" } }],
    ["cancel", "CANCELADA", { cancelamento: { solicitante: "USUARIO_PAGADOR", codigo: "SLDB" } }],
    ["expire", "EXPIRADA", undefined],
  ] as const)("ends a recurrence by %s with the status %s", async (action, status, encerramento) => {
    const { bank, offer, call } = await openBank()
    const idRec = await offer()
    bank.recurring[action](idRec)
    const { body } = await call("GET", `/rec/${idRec}`)
    expect(body).toMatchObject({ status, ...(encerramento && { encerramento }) })
    expect(refusal(await call("PATCH", `/rec/${idRec}`, { status: "CANCELADA" }))).toEqual(invalid("status"))
    expect(() => bank.recurring.approve(idRec)).toThrow(`is ${status}`)
  })
})

describe("a request in the payer's bank", () => {
  const open = async () => {
    const opened = await openBank()
    const { idRec } = (await opened.call("POST", "/rec", monthly)).body
    const terms = {
      idRec,
      calendario: { dataExpiracaoSolicitacao: "2026-12-08T12:00:00Z" },
      destinatario: { cpf: "12345678909", ispbParticipante: "87654321", conta: "123", agencia: "0001" },
    }
    const send = (change: object = {}) => opened.call("POST", "/solicrec", { ...terms, ...change })
    const { idSolicRec } = (await send()).body
    const look = async () => (await opened.call("GET", `/solicrec/${idSolicRec}`)).body.status
    return { ...opened, idRec, idSolicRec, send, look }
  }
  const unsound = (property: string) => [400, "SolicRecOperacaoInvalida", `solicrec.${property}`]

  it("receives a request, and accepts it by approving the recurrence (journey 1)", async () => {
    const { bank, idRec, idSolicRec, look, call } = await open()
    expect(idSolicRec).toMatch(/^SC1234567820261201\w{11}$/)
    expect(await look()).toBe("RECEBIDA")
    bank.recurring.approve(idRec)
    expect(await look()).toBe("ACEITA")
    const { body } = await call("GET", `/rec/${idRec}`)
    expect([body.ativacao, body.solicitacao?.[0]?.status]).toEqual([{ tipoJornada: "JORNADA_1" }, "ACEITA"])
    expect(refusal(await call("PATCH", `/solicrec/${idSolicRec}`, { status: "CANCELADA" }))).toEqual(unsound("status"))
  })

  it("allows one open request, which the company or an approval by code withdraws", async () => {
    const { bank, idRec, idSolicRec, send, look, call } = await open()
    expect(refusal(await send())).toEqual(unsound("idRec"))
    expect((await call("PATCH", `/solicrec/${idSolicRec}`, { status: "CANCELADA" })).status).toBe(201)
    expect(await look()).toBe("CANCELADA")
    const next = (await send()).body.idSolicRec
    bank.recurring.approve(idRec, { journey: "JORNADA_2" })
    expect((await call("GET", `/solicrec/${next}`)).body.status).toBe("CANCELADA")
    expect(refusal(await send())).toEqual(unsound("idRec"))
  })

  it("rejects the request together with the recurrence", async () => {
    const { bank, idRec, look } = await open()
    bank.recurring.decline(idRec)
    expect(await look()).toBe("REJEITADA")
  })

  it("expires the request, after which the company can send a new one", async () => {
    const { idRec, send, look, setTime, call } = await open()
    setTime(Date.parse("2026-12-08T12:00:01Z"))
    expect(await look()).toBe("EXPIRADA")
    expect((await call("GET", `/rec/${idRec}`)).body.status).toBe("CRIADA")
    const later = { calendario: { dataExpiracaoSolicitacao: "2026-12-09T12:00:00Z" } }
    expect((await send(later)).status).toBe(201)
  })

  it("accepts only requests that are open for at most 30 days and name a payer's account", async () => {
    const { idSolicRec, send, call } = await open()
    await call("PATCH", `/solicrec/${idSolicRec}`, { status: "CANCELADA" })
    for (const dataExpiracaoSolicitacao of ["2026-12-01T11:59:59Z", "2026-12-31T12:00:01Z", "soon"]) {
      const refused = await send({ calendario: { dataExpiracaoSolicitacao } })
      expect(refusal(refused)).toEqual(unsound("calendario.dataExpiracaoSolicitacao"))
    }
    const destinatario = { cpf: "12345678909", ispbParticipante: "87654321" }
    expect(refusal(await send({ destinatario }))).toEqual(unsound("destinatario"))
  })
})

describe("PATCH /rec", () => {
  it("changes the first day, location, payer's name and first charge of a new recurrence", async () => {
    const { offer, call, newTxid } = await openBank()
    const [idRec, txid] = [await offer(), newTxid()]
    await call("POST", "/locrec")
    await call("PUT", `/cob/${txid}`, cobTerms)
    const changed = await call("PATCH", `/rec/${idRec}`, {
      vinculo: { devedor: { nome: "Maria Silva" } },
      calendario: { dataInicial: "2027-01-10" },
      loc: 2,
      ativacao: { dadosJornada: { txid } },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        vinculo: { contrato: "c1", devedor: { cpf: "12345678909", nome: "Maria Silva" } },
        calendario: { dataInicial: "2027-01-10", periodicidade: "MENSAL" },
        loc: { id: 2, idRec },
        ativacao: { dadosJornada: { txid } },
      },
    })
    expect((await call("GET", "/locrec/1")).body.idRec).toBeUndefined()
  })

  it("changes neither day nor location of an approved recurrence", async () => {
    const { approved, call } = await openBank()
    const idRec = await approved()
    await call("POST", "/locrec")
    const patch = (body: object) => call("PATCH", `/rec/${idRec}`, body)
    expect(refusal(await patch({ calendario: { dataInicial: "2027-01-10" } }))).toEqual(
      invalid("calendario.dataInicial"),
    )
    expect(refusal(await patch({ loc: 2 }))).toEqual(invalid("loc"))
    expect(refusal(await patch({ status: "APROVADA" }))).toEqual(invalid("status"))
    const { body } = await patch({ status: "CANCELADA" })
    expect([body.status, body.encerramento]).toMatchObject([
      "CANCELADA",
      { cancelamento: { solicitante: "USUARIO_RECEBEDOR", codigo: "SLCR" } },
    ])
  })

  it("doesn't find another company's recurrence", async () => {
    const { offer, callAs } = await openBank()
    const idRec = await offer()
    for (const method of ["GET", "PATCH"]) {
      expect(refusal(await callAs("vizinha", method, `/rec/${idRec}`, method === "GET" ? undefined : {}))).toEqual([
        404,
        "RecNaoEncontrada",
        undefined,
      ])
    }
  })
})

it("expires a recurrence after its last day, on a look-up", async () => {
  const { bank, approved, call, setTime } = await openBank()
  const idRec = await approved({ ...monthly, calendario: { ...monthly.calendario, dataFinal: "2026-12-10" } })
  setTime(brasilia("2026-12-10", 23))
  expect((await call("GET", `/rec/${idRec}`)).body.status).toBe("APROVADA")
  setTime(brasilia("2026-12-11", 1))
  expect(bank.recurring.ledger.recs.get(idRec)?.status).toBe("APROVADA")
  expect((await call("GET", `/rec/${idRec}`)).body.status).toBe("EXPIRADA")
})

describe("lists", () => {
  const period = "inicio=2026-12-01T12:00:00Z&fim=2026-12-02T12:00:00Z"

  it("lists the recurrences and charges of a period, filtered and in pages", async () => {
    const { bank, call, callAs, offer, charge, setTime } = await openBank()
    const company = { vinculo: { contrato: "c2", devedor: { cnpj: "11222333000181", nome: "Compradora" } } }
    const first = await offer()
    setTime(brasilia("2026-12-02"))
    const second = (await call("POST", "/rec", { ...monthly, ...company })).body.idRec
    bank.recurring.approve(first)
    const [a, b] = [await charge(first, "2026-12-10"), await charge(first, "2027-01-10")]
    await call("PATCH", `/cobr/${b.txid}`, { status: "CANCELADA" })
    setTime(brasilia("2026-12-02", 9, 1))
    const recs = async (query: string) => (await call("GET", `/rec?${query}`)).body.recs.map(({ idRec }) => idRec)
    expect(await recs(period)).toEqual([first, second])
    expect(await recs(`${period}&cpf=12345678909`)).toEqual([first])
    expect(await recs(`${period}&cnpj=11222333000181`)).toEqual([second])
    expect(await recs(`${period}&status=CRIADA`)).toEqual([second])
    expect(await recs(`${period}&locationPresente=false`)).toEqual([second])
    expect(await recs(`${period}&paginacao.paginaAtual=1&paginacao.itensPorPagina=1`)).toEqual([second])
    expect(await recs("inicio=2026-12-01T12:00:01Z&fim=2026-12-02T11:59:59Z")).toEqual([])
    const cobsr = async (query: string) => (await call("GET", `/cobr?${query}`)).body.cobsr.map(({ txid }) => txid)
    expect(await cobsr(period)).toEqual([a.txid, b.txid])
    expect(await cobsr(`${period}&idRec=${second}`)).toEqual([])
    expect(await cobsr("inicio=2026-12-01T12:00:00Z&fim=2026-12-02T11:59:59Z")).toEqual([])
    expect(await cobsr(`${period}&status=CANCELADA&idRec=${first}&cpf=12345678909`)).toEqual([b.txid])
    expect((await callAs("vizinha", "GET", `/cobr?${period}`)).body.cobsr).toEqual([])
    expect((await call("GET", `/locrec?${period}&idRecPresente=true`)).body).toMatchObject({ loc: [{ idRec: first }] })
  })

  it.each(["rec", "cobr"])(
    "refuses a list of /%s for two payers, or for a period that ends before it begins",
    async (resource) => {
      const { call } = await openBank()
      const kind = resource === "rec" ? "RecConsultaInvalida" : "CobRConsultaInvalida"
      expect(refusal(await call("GET", `/${resource}?${period}&cpf=1&cnpj=2`)).slice(0, 2)).toEqual([400, kind])
      const backwards = "inicio=2026-12-01T12:00:00Z&fim=2026-12-01T11:00:00Z"
      expect(refusal(await call("GET", `/${resource}?${backwards}`)).slice(0, 2)).toEqual([400, kind])
    },
  )
})

it.each([
  ["POST", "/rec", "rec.write"],
  ["GET", "/rec/x", "rec.read"],
  ["POST", "/locrec", "payloadlocationrec.write"],
  ["GET", "/locrec/1", "payloadlocationrec.read"],
  ["POST", "/solicrec", "solicrec.write"],
  ["GET", "/solicrec/x", "solicrec.read"],
  ["PUT", "/cobr/x", "cobr.write"],
  ["GET", "/cobr/x", "cobr.read"],
  ["POST", "/cobr/x/retentativa/2026-12-11", "cobr.write"],
  ["PUT", "/webhookrec", "webhookrec.write"],
  ["DELETE", "/webhookcobr", "webhookcobr.write"],
])("requires for %s %s the scope %s", async (method, path, scope) => {
  const all = ["rec", "payloadlocationrec", "solicrec", "cobr", "webhookrec", "webhookcobr"]
  const others = all.flatMap((one) => [`${one}.read`, `${one}.write`]).filter((one) => one !== scope)
  const { call } = await openBank({ accounts: [{ ...shop, scopes: others }] })
  const body = method === "GET" ? undefined : {}
  expect(await call(method, path, body)).toMatchObject({
    status: 403,
    body: { detail: `the scope ${scope} is missing` },
  })
})
