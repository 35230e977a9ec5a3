import { expect, it } from "vitest"
import { bankWays, type BankWays } from "../../src/index.ts"
import { monthly, openBank, refusal } from "./openBank.ts"

/** Some ways of a bank. All other ways follow the standard. */
const pick = (ways: Partial<BankWays>, ...names: ReadonlyArray<keyof BankWays>): Partial<BankWays> =>
  Object.fromEntries(names.map((name) => [name, ways[name]]))

it("C6 signs answers to reads, wraps answers to writes in `data`, and requires a `devedor`", async () => {
  const ways = pick(bankWays.c6.production, "reshape", "cyclePayer")
  const { bank, call, cycleBody, newTxid } = await openBank({ ways, isSound: false })
  await call("POST", "/locrec")
  const made = JSON.parse((await call("POST", "/rec", { ...monthly, loc: 1 })).text)
  const { idRec } = made.data
  expect(made).toMatchObject({ data: { status: "CRIADA", loc: { id: 1 } } })
  const { text } = await call("GET", `/rec/${idRec}`)
  expect(JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString())).toMatchObject({ idRec })
  bank.recurring.approve(idRec)
  const [txid, body] = [newTxid(), cycleBody(idRec, "2026-12-10")]
  expect(refusal(await call("PUT", `/cobr/${txid}`, body))).toEqual([400, "CobROperacaoInvalida", "cobr.devedor"])
  const charged = await call("PUT", `/cobr/${txid}`, { ...body, devedor: {} })
  expect([charged.status, JSON.parse(charged.text)]).toMatchObject([201, { data: { txid, idRec } }])
})

it("Inter names a status `nome`, and writes accounts and CNPJs as numbers", async () => {
  const ways = pick(bankWays.inter.production, "reshape")
  const { approved, charge, call } = await openBank({ ways, isSound: false })
  const { txid } = await charge(await approved(), "2026-12-10")
  expect((await call("GET", `/cobr/${txid}`)).body).toMatchObject({
    atualizacao: [{ nome: "CRIADA" }, { nome: "ATIVA" }],
    recebedor: { conta: 1_234_567, cnpj: 12_345_678_000_195 },
  })
})

it("Sicredi serves recurrences at /api/v1", async () => {
  const ways = pick(bankWays.sicredi.production, "apiRoots")
  const { call, bank } = await openBank({ ways, root: "/api/v1" })
  expect((await call("POST", "/rec", monthly)).status).toBe(201)
  expect((await call("PUT", "/webhookcobr", { webhookUrl: "https://shop.invalid" })).status).toBe(200)
  expect((await call("GET", "/pix")).status).toBe(404)
  expect(bank.recurring.ledger.recs.size).toBe(1)
})
