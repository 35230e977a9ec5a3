import { bankWays } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { brasilia, shop } from "../recurring/openBank.ts"
import {
  chave,
  dated,
  immediate,
  liveWithCharges,
  liveWithRecurrences,
  liveWithWebhooks,
  period,
  txids,
} from "./lives.ts"
import { openClient } from "../clients/openClient.ts"
import { listFlaws, pixMethods, schemaOf } from "./schemas.ts"

/** Requirements of the SDK's schemas that other sources about the bank don't confirm. */
const unlikely = [
  // The schema requires the whole recurrence in a request, and rejects an institution of the receiver.
  /^pixCreateRequestRecurrenceAutomatic recPayload/,
  /^pixDetailRequestRecurrenceAutomatic recPayload/,
  /^pixUpdateRequestRecurrenceAutomatic recPayload/,
  // The schema requires a code even if the recurrence is approved or has no location.
  /^pix(?:List|Detail)RecurrenceAutomatic (?:recs\.\d+\.)?dadosQR/,
]

const withoutBank = new Set(["pixGenerateStaticQRCode", "pixQrCodeDetail"])

const open = async () => {
  let now = brasilia("2026-12-01")
  const { production: ways } = bankWays.efi
  const host = "pix-h.api.efipay.com.br"
  const { bank, call, webhookUrl } = await openClient({ program: "efi.mjs", host, ways, now: () => now })
  const called = new Set<string>()
  const ask = async (method: string, ...args: ReadonlyArray<unknown>) => {
    called.add(method)
    const [params, body] = schemaOf(method, "Params") === undefined ? [undefined, ...args] : args
    for (const [part, value] of [
      ["Params", params],
      ["Body", body],
    ] as const) {
      expect(listFlaws(schemaOf(method, part), value), `${method} ${part}`).toEqual([])
    }
    const { answer, refusal } = await call(method, ...args)
    expect(refusal, method).toBeUndefined()
    const flaws = listFlaws(schemaOf(method, "Response"), answer).map((flaw) => `${method} ${flaw}`)
    expect(flaws.filter((flaw) => !unlikely.some((one) => one.test(flaw)))).toEqual([])
    return answer
  }
  const setTime = (at: number): void => void (now = at)
  return { bank, call, ask, called, webhookUrl, setTime }
}

it("runs ten calls of Efí's SDK, which issue, return and list, without a breach of its schemas", async () => {
  const { bank, ask, called, webhookUrl } = await open()
  await ask("pixConfigWebhook", { chave }, { webhookUrl })
  expect((await ask("pixListWebhook", period)).webhooks).toMatchObject([{ webhookUrl, chave }])
  const { txid, loc } = await ask("pixCreateImmediateCharge", immediate)
  await ask("pixCreateDueCharge", { txid: txids[0] }, dated)
  expect((await ask("pixGenerateQRCode", { id: loc.id })).qrcode).toContain(loc.location)
  const { endToEndId: e2eId } = bank.pay(shop.cnpj, txid)
  expect((await ask("pixDetailCharge", { txid })).pix).toMatchObject([{ endToEndId: e2eId, valor: "1.00" }])
  await ask("pixDevolution", { e2eId, id: "1" }, { valor: "0.40" })
  expect((await ask("pixDetailDevolution", { e2eId, id: "1" })).status).toBe("DEVOLVIDO")
  expect((await ask("pixReceivedList", period)).pix[0].devolucoes).toMatchObject([{ id: "1", valor: "0.40" }])
  expect((await ask("pixListCharges", { ...period, status: "CONCLUIDA" })).cobs).toMatchObject([{ txid }])
  expect(called.size).toBe(10)
})

it("rejects a body that breaks a schema as json_invalido, with the path of the fault", async () => {
  const { call } = await open()
  for (const [rule, path, body] of [
    ["additionalProperties", ".body.extra", { ...immediate, extra: 1 }],
    ["type", ".body.calendario.expiracao", { ...immediate, calendario: { expiracao: "600" } }],
    ["required", ".body.calendario.expiracao", { ...immediate, calendario: {} }],
    ["type", ".body.solicitacaoPagador", { ...immediate, solicitacaoPagador: null }],
  ] as const) {
    const { refusal } = await call("pixCreateCharge", { txid: txids[0] }, body)
    expect(refusal).toMatchObject({ nome: "json_invalido", erros: [{ chave: rule, caminho: path }] })
  }
  const { refusal } = await call("pixCreateDueCharge", { txid: txids[0] }, { ...dated, devedor: undefined })
  expect(refusal).toMatchObject({ nome: "json_invalido", erros: [{ caminho: ".body.devedor" }] })
})

it("rejects a valid body that breaks a rule under the bank's name for the error", async () => {
  const { bank, call, ask } = await open()
  await ask("pixCreateCharge", { txid: txids[0] }, immediate)
  const { endToEndId: e2eId } = bank.pay(shop.cnpj, txids[0] ?? "")
  for (const [name, method, ...args] of [
    ["txid_duplicado", "pixCreateCharge", { txid: txids[0] }, immediate],
    ["chave_invalida", "pixCreateCharge", { txid: txids[1] }, { ...immediate, chave: "outra@example.com" }],
    ["valor_invalido", "pixCreateCharge", { txid: txids[1] }, { ...immediate, valor: { original: "0.00" } }],
    ["cobranca_nao_encontrada", "pixDetailCharge", { txid: txids[1] }],
    ["status_cobranca_invalido", "pixUpdateCharge", { txid: txids[0] }, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }],
    ["pix_nao_encontrado", "pixDetailReceived", { e2eId: "E0" }],
    ["devolucao_nao_encontrada", "pixDetailDevolution", { e2eId, id: "9" }],
    ["webhook_nao_encontrado", "pixDetailWebhook", { chave }],
    ["webhook_invalido", "pixConfigWebhook", { chave }, { webhookUrl: "http://127.0.0.1:1" }],
    ["location_nao_encontrada", "pixDetailLocation", { id: 99 }],
    ["json_invalido", "pixDevolution", { e2eId, id: "1" }, { valor: "0.40", descricao: "troca" }],
  ] as const) {
    expect((await call(method, ...args)).refusal, method).toMatchObject({ nome: name })
  }
})

describe("every API Pix call of Efí's SDK", { tags: ["long"] }, () => {
  it("gets an answer that matches the SDK's schemas, or is reported as missing at the bank", async () => {
    const { bank, call, ask, called, webhookUrl, setTime } = await open()
    await liveWithCharges(bank, ask)
    await liveWithRecurrences(bank, ask, setTime)
    await liveWithWebhooks(ask, webhookUrl)
    const ids = { id: 1, txid: txids[3], e2eId: "E1", e2eid: "E1", idEnvio: "1", splitConfigId: "1", chave }
    for (const method of pixMethods.filter((one) => !called.has(one) && !withoutBank.has(one))) {
      expect(JSON.stringify(await call(method, ids, {})), method).toMatch(
        /this bank has no (?:GET|PUT|POST|PATCH|DELETE) \/(?:v3|gn|lotecobv)/,
      )
    }
    expect([...called].length).toBe(45)
  })
})
