import { expect, it } from "vitest"
import { readOfficialSchemas } from "../../processor-api-pix/test/schemas/officialSchemas.ts"
import type { BankExchange } from "../src/index.ts"
import { answers } from "./recurring/definitions.ts"
import { findAnswerFlaws } from "./recurring/findFlaws.ts"
import { brasilia, monthly, openBank, shop } from "./recurring/openBank.ts"

type Opened = Awaited<ReturnType<typeof openBank>>

/** Makes every call about recurrences. Returns one that is approved. */
const walkRecurrences = async ({ bank, call, approved, newTxid }: Opened): Promise<string> => {
  const txid = newTxid()
  const immediate = { calendario: { expiracao: 600 }, valor: { original: "49.90" }, chave: shop.pixKeys[0] }
  await call("PUT", `/cob/${txid}`, immediate)
  const { idRec } = (await call("POST", "/rec", { ...monthly, ativacao: { dadosJornada: { txid } } })).body
  await call("POST", "/locrec")
  await call("PATCH", `/rec/${idRec}`, { loc: 1 })
  await call("GET", `/rec/${idRec}?txid=${txid}`)
  const { body: request } = await call("POST", "/solicrec", {
    idRec,
    calendario: { dataExpiracaoSolicitacao: "2026-12-08T12:00:00Z" },
    destinatario: { cpf: "12345678909", ispbParticipante: "87654321", conta: "123" },
  })
  await call("GET", `/solicrec/${request.idSolicRec}`)
  await call("PATCH", `/solicrec/${request.idSolicRec}`, { status: "CANCELADA" })
  bank.pay(shop.cnpj, txid)
  await call("GET", `/rec/${idRec}`)
  await call("DELETE", "/locrec/1/idRec")
  await call("GET", "/locrec/1")
  bank.recurring.cancel(await approved())
  await call("PATCH", `/rec/${await approved()}`, { status: "CANCELADA" })
  bank.recurring.decline((await call("POST", "/rec", monthly)).body.idRec)
  return idRec
}

/** Makes every call about the charges of a recurrence's cycles. */
const walkCycles = async ({ bank, call, charge, cycleBody, newTxid, setTime }: Opened, idRec: string) => {
  const txid = newTxid()
  const devedor = { email: "maria@example.com", logradouro: "Rua 1", cidade: "Brasilia", uf: "DF", cep: "70000000" }
  const wordy = { ...cycleBody(idRec, "2026-12-10"), infoAdicional: "Dezembro", devedor }
  for (const body of [wordy, wordy, {}]) await call("PUT", `/cobr/${txid}`, body)
  bank.recurring.setBalance(idRec, 0)
  setTime(brasilia("2026-12-10", 22))
  await call("POST", `/cobr/${txid}/retentativa/2026-12-11`)
  bank.recurring.setBalance(idRec)
  setTime(brasilia("2026-12-11"))
  bank.returnOutside(bank.recurring.debits[0]?.endToEndId ?? "", 100, "MED_PIX_AUTOMATICO")
  await call("GET", `/cobr/${txid}`)
  setTime(brasilia("2027-01-02"))
  const january = (await call("POST", "/cobr", cycleBody(idRec, "2027-01-10"))).body.txid
  await call("PATCH", `/cobr/${january}`, { status: "CANCELADA" })
  await call("GET", `/cobr/${january}`)
  for (const amount of ["1.00", "49.90"]) await charge(idRec, "2027-01-10", amount)
  setTime(brasilia("2027-01-02", 10))
}

/** Makes every call of Pix Automático, and sees every state that has a field of its own. */
const makeEveryCall = async (): Promise<ReadonlyArray<BankExchange>> => {
  const opened = await openBank()
  const { bank, call } = opened
  await walkCycles(opened, await walkRecurrences(opened))
  const period = "inicio=2026-12-01T12:00:00Z&fim=2027-01-02T13:00:00Z"
  for (const list of ["rec", "cobr", "locrec"]) await call("GET", `/${list}?${period}`)
  for (const kind of ["rec", "cobr"]) {
    await call("PUT", `/webhook${kind}`, { webhookUrl: "https://shop.invalid/hook" })
    for (const method of ["GET", "DELETE", "GET"]) await call(method, `/webhook${kind}`)
  }
  return bank.exchanges.filter(({ path }) => /^\/(?:rec|locrec|solicrec|cobr|webhook)/.test(path))
}

const isRefused = ({ status }: BankExchange): boolean => status >= 400

it("every call is made, and wrong answers are noticed", async () => {
  const calls = await makeEveryCall()
  const made = calls.filter((call) => !isRefused(call))
  const never = answers.filter(([call]) => !made.some(({ method, path }) => call.test(`${method} ${path}`)))
  expect(never.map(([call]) => call.source)).toEqual([])
  expect(calls.flatMap(findAnswerFlaws)).toEqual([])
  for (const call of calls) {
    expect(findAnswerFlaws({ ...call, status: 202 }), call.path).not.toEqual([])
    for (const field of Object.keys(call.answer ?? {}).filter((one) => !["detail", "violacoes"].includes(one))) {
      const wrong = { ...call, answer: { ...(call.answer as object), [field]: null } }
      expect(findAnswerFlaws(wrong), `${call.method} ${call.path} ${field}`).not.toEqual([])
    }
  }
})

it("the central bank's own file finds every call and answer sound", { tags: ["officialSchemas"] }, async () => {
  const findOfficialFlaws = await readOfficialSchemas(process.env["API_PIX_OPENAPI"] ?? "")
  const calls = await makeEveryCall()
  for (const call of calls) expect(findOfficialFlaws({ ...call, answer: { status: 1 } }), call.path).not.toEqual([])
  // A wrong request is refused by its own answer.
  expect(calls.filter((call) => !isRefused(call)).flatMap(findOfficialFlaws)).toEqual([])
  const refused = calls
    .filter(isRefused)
    .map((call) => findOfficialFlaws(call).filter((flaw) => flaw.includes("answer")))
  expect(refused).toEqual(refused.map(() => []))
})
