import { describe, expect, it } from "vitest"
import { brasilia, monthly, openBank, refusal, shop } from "./openBank.ts"

const taken = [400, "CobROperacaoInvalida", "cobr.ciclo"]

describe("a cycle's charge", () => {
  it("schedules a cycle's charge, debits it at 03:00 of its day, and shows it with its Pix", async () => {
    const { bank, approved, charge, look, setTime, call } = await openBank()
    const idRec = await approved()
    const { status, body, txid } = await charge(idRec, "2026-12-10")
    expect([status, body.status, body.tentativas]).toEqual([201, "CRIADA", undefined])
    expect(await look(txid)).toEqual(["ATIVA", "AGND 2026-12-10 AGENDADA"])
    setTime(brasilia("2026-12-10", 2, 59))
    expect(await look(txid)).toEqual(["ATIVA", "AGND 2026-12-10 AGENDADA"])
    setTime(brasilia("2026-12-10", 3))
    expect(await look(txid)).toEqual(["CONCLUIDA", "AGND 2026-12-10 PAGA"])
    const at = brasilia("2026-12-10", 3)
    const { endToEndId } = bank.recurring.debits[0]!
    expect(bank.recurring.debits).toEqual([
      { idRec, cycle: 0, txid, endToEndId, amountCents: 4_990, dueDate: "2026-12-10", at },
    ])
    const { body: paid } = await call("GET", `/cobr/${txid}`)
    const [made, data] = [brasilia("2026-12-01"), at].map((one) => new Date(one).toISOString())
    expect(paid).toMatchObject({
      atualizacao: [
        { status: "CRIADA", data: made },
        { status: "ATIVA", data: made },
        { status: "CONCLUIDA", data },
      ],
      tentativas: [{ atualizacao: [{}, { status: "AGENDADA", data: made }, { status: "PAGA", data }] }],
    })
    const [pix] = paid.pix
    expect(pix).toEqual({ endToEndId, txid, valor: "49.90", horario: new Date(at).toISOString() })
    expect((await call("GET", `/pix/${endToEndId}`)).body).toEqual(pix)
    const refund = await call("PUT", `/pix/${endToEndId}/devolucao/d1`, { valor: "9.90" })
    expect(refund.status).toBe(201)
    expect((await call("GET", `/cobr/${txid}`)).body.pix).toMatchObject([{ devolucoes: [{ valor: "9.90" }] }])
  })

  it.each([false, true])(
    "lists a cycle's payment with the key's payments only if the bank lists such payments (%s)",
    async (listsCyclePix) => {
      const { approved, charge, call, setTime } = await openBank({ ways: { listsCyclePix } })
      const { txid } = await charge(await approved(), "2026-12-10")
      setTime(brasilia("2026-12-11"))
      const listed = await call("GET", "/pix?inicio=2026-12-01T00:00:00Z&fim=2026-12-11T00:00:00Z")
      expect(listed.body.pix.map((one) => one.txid)).toEqual(listsCyclePix ? [txid] : [])
    },
  )

  it("debits a failed charge again in the evening, and expires it at 21:00 without retries", async () => {
    const { bank, approved, charge, look, setTime } = await openBank()
    const idRec = await approved({ ...monthly, politicaRetentativa: "NAO_PERMITE" })
    bank.recurring.setBalance(idRec, 4_989)
    const first = await charge(idRec, "2026-12-10")
    setTime(brasilia("2026-12-10", 12))
    expect(await look(first.txid)).toEqual(["ATIVA", "AGND 2026-12-10 AGENDADA"])
    bank.recurring.setBalance("12345678909", 4_990)
    setTime(brasilia("2026-12-10", 19))
    expect(await look(first.txid)).toEqual(["CONCLUIDA", "AGND 2026-12-10 PAGA"])
    setTime(brasilia("2027-01-04"))
    const second = await charge(idRec, "2027-01-11")
    expect(new Date(bank.recurring.nextAt() ?? 0).toISOString()).toBe("2027-01-11T06:00:00.000Z")
    bank.recurring.runDay("2027-01-11")
    expect(await look(second.txid)).toEqual(["EXPIRADA", "AGND 2027-01-11 EXPIRADA"])
    expect(bank.recurring.debits.map(({ at }) => at)).toEqual([brasilia("2026-12-10", 19)])
  })
})

describe("an order", () => {
  it.each([
    ["2026-12-10", 10, "AGENDADA", "ATIVA"],
    ["2026-12-10", 11, "FBRD", "ATIVA"],
    ["2026-12-10", 2, "AGENDADA", "ATIVA"],
    ["2026-12-10", 1, "FBRD", "ATIVA"],
  ])(
    "turns an order to settle on %s that was sent %i days before into %s",
    async (dueDate, daysBefore, outcome, status) => {
      const { approved, charge, look, setTime } = await openBank()
      setTime(brasilia("2026-11-28"))
      const idRec = await approved()
      setTime(brasilia(dueDate) - daysBefore * 86_400_000)
      const { txid } = await charge(idRec, dueDate)
      expect(await look(txid)).toEqual([status, `AGND ${dueDate} ${outcome}`])
    },
  )

  it("settles an order on the next business day unless the charge excludes an adjustment", async () => {
    const { approved, call, cycleBody, newTxid, look, setTime } = await openBank()
    setTime(brasilia("2026-12-16"))
    const idRec = await approved({ ...monthly, calendario: { dataInicial: "2026-12-25", periodicidade: "SEMANAL" } })
    const adjusted = newTxid()
    await call("PUT", `/cobr/${adjusted}`, cycleBody(idRec, "2026-12-25"))
    setTime(brasilia("2026-12-18"))
    await call("PATCH", `/cobr/${adjusted}`, { status: "CANCELADA" })
    const exact = newTxid()
    await call("PUT", `/cobr/${exact}`, { ...cycleBody(idRec, "2026-12-25"), ajusteDiaUtil: false })
    expect([await look(adjusted), await look(exact)]).toEqual([
      ["CANCELADA", "AGND 2026-12-28 FBRD"],
      ["ATIVA", "AGND 2026-12-25 AGENDADA"],
    ])
  })

  it("rejects an order and its charge for a wrong amount, a day outside of the recurrence, or a missing approval", async () => {
    const { approved, offer, charge, look } = await openBank()
    const dated = { ...monthly, calendario: { ...monthly.calendario, dataFinal: "2026-12-10" } }
    const last = await charge(await approved(dated), "2026-12-10")
    expect(await look(last.txid)).toEqual(["ATIVA", "AGND 2026-12-10 AGENDADA"])
    const rejected = [
      await charge(await approved(), "2026-12-10", "49.91"),
      await charge(await approved(), "2026-12-09"),
      await charge(await approved(dated), "2026-12-11"),
      await charge(await offer(), "2026-12-10"),
    ]
    expect(await Promise.all(rejected.map(async ({ txid }) => (await look(txid)).map((one) => one.slice(-9))))).toEqual(
      [
        ["REJEITADA", "2-10 AM09"],
        ["REJEITADA", "2-09 DTED"],
        ["REJEITADA", "2-11 DTED"],
        ["REJEITADA", "2-10 MSUC"],
      ],
    )
  })

  it("rejects an order above the payer's maximum, whose charge stays active in its cycle until it is cancelled", async () => {
    const { bank, approved, charge, look, call } = await openBank()
    const idRec = await approved({ ...monthly, valor: { valorMinimoRecebedor: "10.00" } })
    expect(() => bank.recurring.setMaximum(idRec, 999)).toThrow("below the floor of 10.00")
    for (const cents of [1_000, 5_000]) bank.recurring.setMaximum(idRec, cents)
    const { txid } = await charge(idRec, "2026-12-10", "50.01")
    expect(await look(txid)).toEqual(["ATIVA", "AGND 2026-12-10 AM02"])
    expect(refusal(await charge(idRec, "2026-12-11", "50.00"))).toEqual(taken)
    expect(refusal(await call("POST", `/cobr/${txid}/retentativa/2026-12-10`))).toEqual([
      400,
      "CobROperacaoInvalida",
      "cobr.data",
    ])
    expect((await call("PATCH", `/cobr/${txid}`, { valor: { original: "50.00" } })).status).toBe(400)
    expect((await call("PATCH", `/cobr/${txid}`, { status: "CANCELADA" })).body.encerramento).toMatchObject({
      cancelamento: { solicitante: "USUARIO_RECEBEDOR", codigo: "SLCR" },
    })
    const lower = await charge(idRec, "2026-12-11", "50.00")
    expect(await look(lower.txid)).toEqual(["ATIVA", "AGND 2026-12-11 AGENDADA"])
  })

  it.each([
    ["AB10", ["ATIVA", "AGND 2026-12-10 AB10", "NTAG 2026-12-11 AGENDADA"]],
    ["DS27", ["REJEITADA", "AGND 2026-12-10 DS27"]],
  ])("rejects one order with the chosen code (%s)", async (code, outcome) => {
    const { bank, approved, charge, look, call } = await openBank()
    const idRec = await approved()
    bank.recurring.rejectNext(idRec, code)
    const { txid } = await charge(idRec, "2026-12-10")
    await call("POST", `/cobr/${txid}/retentativa/2026-12-11`)
    expect(await look(txid)).toEqual(outcome)
  })

  it("schedules an order late at a slow bank", async () => {
    const { approved, charge, look, setTime } = await openBank({ ways: { schedulingMs: 60_000 } })
    const { txid } = await charge(await approved(), "2026-12-10")
    expect(await look(txid)).toEqual(["ATIVA", "AGND 2026-12-10 SOLICITADA"])
    setTime(brasilia("2026-12-01", 9, 1))
    expect(await look(txid)).toEqual(["ATIVA", "AGND 2026-12-10 AGENDADA"])
  })
})

describe("PUT /cobr", () => {
  it("makes a second charge of a cycle only after the first one is rejected or cancelled", async () => {
    const { bank, approved, charge, setTime } = await openBank()
    const idRec = await approved()
    await charge(idRec, "2026-12-10", "1.00")
    const first = await charge(idRec, "2026-12-10")
    expect(first.status).toBe(201)
    expect(refusal(await charge(idRec, "2026-12-10"))).toEqual(taken)
    setTime(brasilia("2026-12-31"))
    // This is the last day of the first cycle.
    expect(refusal(await charge(idRec, "2027-01-09"))).toEqual(taken)
    expect((await charge(idRec, "2027-01-10")).status).toBe(201)
    expect(bank.recurring.debits.map(({ txid }) => txid)).toEqual([first.txid])
  })

  it.each(["repeats", "refuses"] as const)("%s a second call for the same charge", async (putOnCycle) => {
    const { bank, approved, call, cycleBody, newTxid } = await openBank({ ways: { putOnCycle } })
    const [idRec, txid] = [await approved(), newTxid()]
    const put = (amount?: string) => call("PUT", `/cobr/${txid}`, cycleBody(idRec, "2026-12-10", amount))
    await put()
    const inUse = [400, "CobROperacaoInvalida", "cobr.txid"]
    const repeated = await put()
    if (putOnCycle === "repeats") expect([repeated.status, repeated.body.status]).toEqual([201, "ATIVA"])
    else expect(refusal(repeated)).toEqual(inUse)
    expect(refusal(await put("49.89"))).toEqual(inUse)
    expect(bank.recurring.ledger.cycles.size).toBe(1)
  })

  it("refuses the txid of any existing charge", async () => {
    const { approved, call, cycleBody, charge, newTxid } = await openBank()
    const [idRec, txid] = [await approved(), newTxid()]
    const immediate = { calendario: { expiracao: 600 }, valor: { original: "1.00" }, chave: shop.pixKeys[0] }
    await call("PUT", `/cob/${txid}`, immediate)
    expect(refusal(await call("PUT", `/cobr/${txid}`, cycleBody(idRec, "2026-12-10")))).toEqual([
      400,
      "CobROperacaoInvalida",
      "cobr.txid",
    ])
    const cycle = await charge(idRec, "2026-12-10")
    expect(refusal(await call("PUT", `/cob/${cycle.txid}`, immediate))).toEqual([
      400,
      "CobOperacaoInvalida",
      "cob.txid",
    ])
  })

  it.each([
    ["idRec", { idRec: "RN1234567820261201aaaaaaaaaaa" }],
    ["calendario.dataDeVencimento", { calendario: { dataDeVencimento: "2026-11-30" } }],
    ["valor.original", { valor: { original: "0.00" } }],
    ["recebedor", { recebedor: { conta: "7654321", tipoConta: "CORRENTE" } }],
    ["recebedor", { recebedor: { conta: shop.accountNumber, tipoConta: "SALARIO" } }],
    ["devedor", { devedor: { nome: "Maria" } }],
    ["infoAdicional", { infoAdicional: "x".repeat(141) }],
    ["ajusteDiaUtil", { ajusteDiaUtil: "true" }],
  ])("rejects a wrong %s", async (property, change) => {
    const { approved, call, cycleBody, newTxid } = await openBank()
    const body = { ...cycleBody(await approved(), "2026-12-10"), ...change }
    const refused = await call("PUT", `/cobr/${newTxid()}`, body)
    expect(refusal(refused)).toEqual([400, "CobROperacaoInvalida", `cobr.${property}`])
  })

  it("rejects a charge of an ended recurrence or of another company's recurrence", async () => {
    const { bank, approved, charge, callAs, cycleBody, newTxid } = await openBank()
    const idRec = await approved()
    const wrong = [400, "CobROperacaoInvalida", "cobr.idRec"]
    const theirs = await callAs("vizinha", "PUT", `/cobr/${newTxid()}`, cycleBody(idRec, "2026-12-10"))
    expect(refusal(theirs)).toEqual(wrong)
    bank.recurring.cancel(idRec)
    expect(refusal(await charge(idRec, "2026-12-10"))).toEqual(wrong)
  })
})

describe("the cancellation of a cycle's charge", () => {
  it.each([
    [brasilia("2026-12-09", 21, 59), 200],
    [brasilia("2026-12-09", 22), 400],
    [brasilia("2026-12-10", 1), 400],
  ])("allows the company to cancel until 22:00 of the day before (%i: %i)", async (at, status) => {
    const { bank, approved, charge, call, setTime } = await openBank()
    const { txid } = await charge(await approved(), "2026-12-10")
    setTime(at)
    expect((await call("PATCH", `/cobr/${txid}`, { status: "CANCELADA" })).status).toBe(status)
    bank.recurring.runDay("2026-12-10")
    expect(bank.recurring.debits).toHaveLength(status === 200 ? 0 : 1)
    expect(refusal(await call("PATCH", `/cobr/${txid}`, { status: "CANCELADA" }))).toEqual([
      400,
      "CobROperacaoInvalida",
      "cobr.status",
    ])
  })

  it("allows the payer to cancel until the end of the day before", async () => {
    const { bank, approved, charge, call, setTime } = await openBank()
    const idRec = await approved()
    const { txid } = await charge(idRec, "2026-12-10")
    setTime(brasilia("2026-12-10", 0, 1))
    expect(() => bank.recurring.cancelDebit(shop.cnpj, txid)).toThrow("can be cancelled")
    setTime(brasilia("2026-12-09", 23, 59))
    bank.recurring.cancelDebit(shop.cnpj, txid)
    const { body } = await call("GET", `/cobr/${txid}`)
    expect([body.status, body.tentativas?.[0]?.status]).toEqual(["CANCELADA", "CANCELADA"])
    expect(body.encerramento).toMatchObject({ cancelamento: { solicitante: "USUARIO_PAGADOR", codigo: "SLBD" } })
  })

  it.each([
    [brasilia("2026-12-09", 23), "CANCELADA"],
    [brasilia("2026-12-10", 1), "CONCLUIDA"],
  ])("cancels the charge together with its recurrence, unless its day has come (%i: %s)", async (at, status) => {
    const { bank, approved, charge, call, look, setTime } = await openBank()
    const idRec = await approved()
    const { txid } = await charge(idRec, "2026-12-10")
    setTime(at)
    expect((await call("PATCH", `/rec/${idRec}`, { status: "CANCELADA" })).status).toBe(200)
    bank.recurring.runDay("2026-12-10")
    expect((await look(txid))[0]).toBe(status)
  })

  it("doesn't cancel the charge on its day, on which it expires together with its recurrence", async () => {
    const { bank, approved, charge, look, setTime } = await openBank()
    const idRec = await approved()
    const { txid } = await charge(idRec, "2026-12-10")
    bank.recurring.setBalance(idRec, 0)
    setTime(brasilia("2026-12-10", 1))
    bank.recurring.cancel(idRec)
    setTime(brasilia("2026-12-10", 21))
    expect(await look(txid)).toEqual(["EXPIRADA", "AGND 2026-12-10 EXPIRADA"])
  })

  it("cancels the charge when the payer's account closes, and rejects later orders", async () => {
    const { bank, approved, charge, look, setTime, call } = await openBank()
    const idRec = await approved()
    const { txid } = await charge(idRec, "2026-12-10")
    bank.recurring.closeAccount(idRec)
    expect((await call("GET", `/cobr/${txid}`)).body.encerramento).toMatchObject({
      cancelamento: {
        solicitante: "PSP_PAGADOR",
        codigo: "ACCT",
      },
    })
    setTime(brasilia("2027-01-04"))
    const next = await charge(idRec, "2027-01-11")
    expect(await look(next.txid)).toEqual(["REJEITADA", "AGND 2027-01-11 AC05"])
  })
})

describe("a new attempt after the due date", () => {
  const open = async (terms: object = monthly, dueDate = "2026-12-10") => {
    const opened = await openBank()
    const idRec = await opened.approved(terms)
    const { txid } = await opened.charge(idRec, dueDate)
    opened.bank.recurring.setBalance(idRec, 0)
    const retry = (on: string) => opened.call("POST", `/cobr/${txid}/retentativa/${on}`)
    return { ...opened, idRec, txid, retry }
  }
  const refused = (property: string) => [400, "CobROperacaoInvalida", `cobr.${property}`]

  it("allows attempts on up to three other days, and debits the payer", async () => {
    const { bank, idRec, txid, retry, look, setTime } = await open()
    expect(refusal(await retry("2026-12-11"))).toEqual(refused("tentativas"))
    setTime(brasilia("2026-12-10", 21, 15))
    expect(await look(txid)).toEqual(["ATIVA", "AGND 2026-12-10 EXPIRADA"])
    expect(refusal(await retry("2026-12-10"))).toEqual(refused("tentativas"))
    expect((await retry("2026-12-11")).body.tentativas).toMatchObject([{}, { tipo: "NTAG", status: "SOLICITADA" }])
    expect(refusal(await retry("2026-12-12"))).toEqual(refused("tentativas"))
    setTime(brasilia("2026-12-11", 22))
    expect(refusal(await retry("2026-12-11"))).toEqual(refused("tentativas"))
    await retry("2026-12-14")
    bank.recurring.setBalance(idRec)
    setTime(brasilia("2026-12-14", 4))
    expect(await look(txid)).toEqual([
      "CONCLUIDA",
      "AGND 2026-12-10 EXPIRADA",
      "NTAG 2026-12-11 EXPIRADA",
      "NTAG 2026-12-14 PAGA",
    ])
    expect(refusal(await retry("2026-12-15"))).toEqual(refused("status"))
    expect(bank.recurring.debits).toHaveLength(1)
  })

  it("refuses an attempt today or earlier", async () => {
    const { retry, setTime } = await open()
    setTime(brasilia("2026-12-12"))
    expect(refusal(await retry("2026-12-12"))).toEqual(refused("data"))
    expect(refusal(await retry("2026-12-11"))).toEqual(refused("data"))
    expect((await retry("2026-12-13")).status).toBe(201)
  })

  it("refuses an attempt after the third one, which ends the charge", async () => {
    const { txid, retry, look, setTime } = await open()
    for (const [today, next] of [
      ["10", "11"],
      ["11", "12"],
      ["12", "13"],
    ]) {
      setTime(brasilia(`2026-12-${today}`, 22))
      expect((await retry(`2026-12-${next}`)).status).toBe(201)
    }
    setTime(brasilia("2026-12-13", 21))
    expect((await look(txid))[0]).toBe("EXPIRADA")
    expect(refusal(await retry("2026-12-14"))).toEqual(refused("status"))
  })

  it.each([
    [monthly, "2026-12-17", "AGENDADA"],
    [monthly, "2026-12-18", "DTNT"],
    [{ ...monthly, calendario: { ...monthly.calendario, periodicidade: "SEMANAL" } }, "2026-12-15", "AGENDADA"],
    [{ ...monthly, calendario: { ...monthly.calendario, periodicidade: "SEMANAL" } }, "2026-12-16", "DTNT"],
  ])("allows attempts within seven days, or five days for a weekly recurrence (%#: %s)", async (terms, on, outcome) => {
    const { txid, retry, look, setTime } = await open(terms)
    setTime(brasilia("2026-12-11"))
    expect((await retry(on)).status).toBe(201)
    expect((await look(txid)).at(-1)).toBe(`NTAG ${on} ${outcome}`)
    setTime(brasilia(on, 20))
    expect((await look(txid))[0]).toBe(outcome === "DTNT" ? "EXPIRADA" : "ATIVA")
  })

  it("refuses an attempt without the recurrence's permission, and expires the charge on its day", async () => {
    const { txid, retry, look, setTime } = await open({ ...monthly, politicaRetentativa: "NAO_PERMITE" })
    setTime(brasilia("2026-12-10", 21))
    expect(await look(txid)).toEqual(["EXPIRADA", "AGND 2026-12-10 EXPIRADA"])
    expect(refusal(await retry("2026-12-11"))).toEqual(refused("politicaRetentativa"))
  })

  it("ends the charge at the end of the last retry day if no attempt is requested", async () => {
    const { txid, look, setTime, idRec, charge } = await open()
    setTime(brasilia("2026-12-17", 20, 59))
    expect((await look(txid))[0]).toBe("ATIVA")
    setTime(brasilia("2026-12-17", 21))
    expect((await look(txid))[0]).toBe("EXPIRADA")
    expect(refusal(await charge(idRec, "2026-12-20"))).toEqual(taken)
  })
})
