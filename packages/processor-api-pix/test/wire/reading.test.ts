import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { chargeReader, codeReader } from "../../src/wire/Cob.ts"
import { parseJson } from "../../src/wire/parseJson.ts"
import { readPayment, readPaymentPage, readReturn } from "../../src/wire/PixBody.ts"
import { readRefusal } from "../../src/wire/Problem.ts"
import { readToken, tokenRefusalCode } from "../../src/client/AccessToken.ts"
import { readNotice, readWebhookUrl } from "../../src/wire/Webhook.ts"
import { saying } from "../saying.ts"

const readCharge = chargeReader([])
const read = <A>(reader: (json: unknown) => Result.Result<A, unknown>, json: unknown): A =>
  Result.getOrThrow(reader(json))

const charge = {
  txid: "7978c0c97ea847e78e8849634473c1f1",
  status: "ATIVA",
  revisao: 0,
  calendario: { criacao: "2026-11-20T15:00:00.358Z", expiracao: 600 },
  valor: { original: "123.45" },
  chave: "loja@example.com",
}

const payment = {
  endToEndId: "E12345678202611201500abcdefghijk",
  txid: charge.txid,
  valor: "110.00",
  horario: "2026-11-20T15:01:02.003Z",
}

describe("a charge from a bank", () => {
  it("has its creation time in milliseconds", () => {
    expect(read(readCharge, charge)).toEqual({
      txid: charge.txid,
      pixKey: charge.chave,
      status: "active",
      revision: 0,
      createdAt: Date.UTC(2026, 10, 20, 15, 0, 0, 358),
      payableForSeconds: 600,
      additionalInfo: [],
      amountCents: 12_345,
      payments: [],
      conditions: {},
    })
  })

  it.each([
    [3, 3],
    ["3", 3],
    ["", undefined],
    [-1, undefined],
    [0.5, undefined],
    ["três", undefined],
    [null, undefined],
    [undefined, undefined],
    [{}, undefined],
  ])("shows the count of changes %j as %j", (revisao, revision) => {
    expect(read(readCharge, { ...charge, revisao }).revision).toBe(revision)
  })

  it("has its validity and its texts for the payer if they are readable", () => {
    const texts = { solicitacaoPagador: "Pedido 7", infoAdicionais: [{ nome: "Mesa", valor: "12" }] }
    expect(read(readCharge, { ...charge, ...texts })).toMatchObject({
      payableForSeconds: 600,
      messageToPayer: "Pedido 7",
      additionalInfo: [{ name: "Mesa", value: "12" }],
    })
    const odd = {
      solicitacaoPagador: "",
      infoAdicionais: [null, "Mesa", { nome: "Mesa" }, { nome: "Mesa", valor: 12 }, { nome: {}, valor: [] }],
    }
    const calendario = { ...charge.calendario, expiracao: "3600" }
    const readOdd = read(readCharge, { ...charge, ...odd, calendario })
    expect(readOdd).toMatchObject({ payableForSeconds: 3600, additionalInfo: [{ name: "Mesa", value: "12" }] })
    expect(readOdd).not.toHaveProperty("messageToPayer")
    const lone = read(readCharge, { ...charge, infoAdicionais: { nome: "Mesa", valor: "12" } })
    expect(lone.additionalInfo).toEqual([{ name: "Mesa", value: "12" }])
    for (const expiracao of [-1, 0.5, "amanhã", {}, null]) {
      const unread = read(readCharge, { ...charge, infoAdicionais: {}, calendario: { ...calendario, expiracao } })
      expect(unread).not.toHaveProperty("payableForSeconds")
      expect(unread.additionalInfo).toEqual([])
    }
  })

  it.each([
    ["with the zone -03:00", "2026-11-20T12:00:00-03:00"],
    ["without fractions", "2026-11-20T15:00:00Z"],
    ["with nanoseconds", "2026-11-20T15:00:00.000000000Z"],
    ["without a zone, which means UTC wherever we run", "2026-11-20T15:00:00"],
  ])("accepts instants %s", (_, criacao) => {
    expect(read(readCharge, { ...charge, calendario: { criacao } }).createdAt).toBe(Date.UTC(2026, 10, 20, 15))
  })

  it.each([
    ["the type number", 123.45],
    ["one decimal", "123.4", 12_340],
    ["no decimals", "123", 12_300],
    ["a comma", "123,45"],
  ])("accepts an amount with %s exactly", (_, original, cents = 12_345) => {
    expect(read(readCharge, { ...charge, valor: { original } }).amountCents).toBe(cents)
  })

  it.each(["1.234,56", "-1.00", "1e3", "12.345", "", " 1.00", "NaN", true, {}])(
    "rejects the ambiguous amount %j",
    (original) => {
      expect(Result.isFailure(readCharge({ ...charge, valor: { original } }))).toBe(true)
    },
  )

  it.each([
    ["CONCLUIDA", "completed"],
    ["REMOVIDA_PELO_USUARIO_RECEBEDOR", "removed"],
    ["REMOVIDA_PELO_PSP", "removed"],
    ["REMOVIDO_PELO_USUARIO_RECEBEDOR", "removed"],
    ["concluído", "completed"],
    ["NAO_CONCLUIDA", "active"],
    ["CONCLUIDA_EM_PARTE", "active"],
    ["NAO_REMOVIDA", "active"],
    ["SOMETHING_NEW", "active"],
  ])("reads %s as %s", (status, expected) => {
    expect(read(readCharge, { ...charge, status }).status).toBe(expected)
  })

  it("accepts nulls as absent fields, a single payment as a list, and numbers in place of strings or the reverse", () => {
    const text = JSON.stringify({
      ...charge,
      revisao: "0",
      devedor: { cpf: null, cnpj: 11222333000181, nome: null },
      location: null,
      loc: { id: "7", location: "https://pix.example.com/qr/v2/1" },
      pix: { ...payment, devolucoes: null },
    })
    expect(read(readCharge, Option.getOrThrow(parseJson(text)))).toMatchObject({
      payer: { taxIds: ["11222333000181"] },
      location: "pix.example.com/qr/v2/1",
      payments: [{ endToEndId: payment.endToEndId, amountCents: 11_000, returns: [] }],
    })
  })

  it("has its code even if the bank uses another field name for it", () => {
    const own = chargeReader(["emv", "textoImagemQRcode"])
    expect(read(own, { ...charge, textoImagemQRcode: "000201" }).brCode).toBe("000201")
    expect(read(own, { ...charge, pixCopiaECola: "00020126", emv: "000201" }).brCode).toBe("00020126")
    expect(read(readCharge, { ...charge, emv: "000201" }).brCode).toBeUndefined()
    expect(read(own, { ...charge, emv: " ", textoImagemQRcode: " 000201 " }).brCode).toBe("000201")
    expect(read(codeReader(["emv"]), { pixCopiaECola: "", emv: "000201" })).toBe("000201")
    expect(codeReader(["emv"])({ emv: 7 })).toMatchObject({ failure: { fields: ["pixCopiaECola", "emv"] } })
  })

  it("has its location without the scheme", () => {
    for (const location of ["https://bank.example/qr", "HTTPS://bank.example/qr", " bank.example/qr "]) {
      expect(read(readCharge, { ...charge, location }).location).toBe("bank.example/qr")
    }
    expect(read(readCharge, { ...charge, location: "bank.example/https://" }).location).toBe("bank.example/https://")
  })

  it("leads to an error that names an unreadable field, but not its value", () => {
    const unreadable = readCharge({ ...charge, valor: { original: "529.982.247-25" }, status: undefined })
    expect(Result.isFailure(unreadable) && unreadable.failure.fields).toEqual(["status"])
    expect(String(unreadable)).not.toContain("529")
    const nested = readCharge({ ...charge, valor: { original: "529.982.247-25" } })
    expect(Result.isFailure(nested) && nested.failure.message).toBe(
      "The bank's answer can't be read at valor.original: it differs from API Pix.",
    )
  })

  it.each([undefined, null, "x", 1, [], {}])("is rejected if it is %j", (json) => {
    expect(Result.isFailure(readCharge(json))).toBe(true)
  })
})

describe("a payment from a bank", () => {
  it("has its returns, and a single return without a list counts as one", () => {
    const devolucao = {
      id: "123ABC",
      rtrId: "D12345678202009091221abcdf098765",
      valor: "10.00",
      horario: { solicitacao: "2026-11-21T00:00:00Z", liquidacao: "2026-11-21T00:00:05Z" },
      status: "DEVOLVIDO",
    }
    const expected = [
      {
        id: "123ABC",
        amountCents: 1_000,
        status: "returned",
        isDispute: false,
        at: Date.UTC(2026, 10, 21, 0, 0, 5),
      },
    ]
    expect(read(readPayment, { ...payment, devolucoes: [devolucao] }).returns).toEqual(expected)
    expect(read(readPayment, { ...payment, devolucoes: devolucao }).returns).toEqual(expected)
  })

  it.each([
    ["EM_PROCESSAMENTO", "processing"],
    ["DEVOLVIDO", "returned"],
    ["NAO_REALIZADO", "rejected"],
    ["devolvida", "returned"],
    ["Não realizada", "rejected"],
    ["NAO_DEVOLVIDO", "processing"],
    ["DEVOLVIDO_EM_PARTE", "processing"],
    ["NAO_REALIZADO_AINDA", "processing"],
    ["SOMETHING_NEW", "processing"],
  ])("has a return %s that is %s", (status, expected) => {
    expect(read(readReturn, { id: "1", valor: "1.00", status }).status).toBe(expected)
  })

  it.each([
    ["ORIGINAL", false],
    ["RETIRADA", false],
    ["MED_OPERACIONAL", true],
    ["MED_FRAUDE", true],
    ["MED_PIX_AUTOMATICO", true],
  ])("has a return of nature %s as a dispute: %s", (natureza, expected) => {
    expect(read(readReturn, { id: "1", valor: "1.00", status: "DEVOLVIDO", natureza }).isDispute).toBe(expected)
  })

  it("has no txid if it is empty", () => {
    expect(read(readPayment, { ...payment, txid: "" })).not.toHaveProperty("txid")
  })

  it("comes in a page that has the bank's count of pages if the bank shows it", () => {
    const parametros = { inicio: "x", fim: "y", paginacao: { quantidadeDePaginas: "3" } }
    expect(read(readPaymentPage, { parametros, pix: [payment] })).toMatchObject({ pages: 3, payments: [{}] })
    expect(read(readPaymentPage, { parametros })).toMatchObject({ pages: 3, payments: [] })
  })
})

describe("a refusal from a bank", () => {
  it("has its kind, and the wrong field with the reason", () => {
    const refusal = readRefusal(400, {
      type: "https://pix.bcb.gov.br/api/v2/error/CobVOperacaoInvalida",
      title: "Cobrança inválida.",
      status: 400,
      detail: "A requisição não respeita o schema.",
      violacoes: [{ razao: "O campo é zero", propriedade: "cobv.valor.original", valor: "0.00" }],
    })
    expect(refusal).toMatchObject({
      status: 400,
      kind: "CobVOperacaoInvalida",
      reason: saying("Cobrança inválida.; cobv.valor.original: O campo é zero"),
    })
  })

  it.each([
    "529.982.247-25",
    "52998224725",
    "529 982 247 25",
    "529-982-247.25",
    "12.345.678/0001-95",
    "12 345 678 0001 95",
    "12.ABC.345/01DE-35",
    "12ABC34501DE35",
    "maria.dores+pix@example.com",
  ])("has no tax id or e-mail address in its reason, like %s (decision 25)", (taxIdOrAddress) => {
    const { reason } = readRefusal(400, { title: "x", detail: `o devedor ${taxIdOrAddress} é inválido` })
    expect(Redacted.value(reason)).toBe("x; o devedor *** é inválido")
  })

  it("has its kind and reason from a bank's own form", () => {
    expect(readRefusal(409, { nome: "txid_duplicado", mensagem: "Campo txid já foi utilizado" })).toMatchObject({
      kind: "txid_duplicado",
      reason: saying("txid_duplicado; Campo txid já foi utilizado"),
    })
  })

  it("has its status as the reason if its form is unknown", () => {
    for (const body of [[], "no", {}, { title: {} }, { erros: [] }, { erros: [{ valor: "x" }] }, [[["x"]]]])
      expect(Redacted.value(readRefusal(422, body).reason)).toBe("HTTP 422")
  })

  it.each([
    // RFC 7807 without violations, as Inter, Sicredi and Banrisul send it.
    [{ title: "Cobrança inválida.", detail: "vencida" }, "Cobrança inválida.; vencida"],
    // Banco do Brasil, from before it followed the standard, and from its gateway.
    [{ erros: [{ codigo: "4769515", versao: "1", mensagem: "não há", ocorrencia: "x" }] }, "4769515: não há"],
    [{ statusCode: 401, error: "Unauthorized", message: "Bad Credentials" }, "Unauthorized; Bad Credentials"],
    // Sicoob.
    [{ mensagens: [{ mensagem: "txid em uso", codigo: "1" }] }, "1: txid em uso"],
    // Efí.
    [
      { nome: "json_invalido", mensagem: "x", erros: [{ chave: "a", caminho: ".valor", mensagem: "ruim" }] },
      "json_invalido; .valor: ruim",
    ],
    // Itaú.
    [
      { codigo: "400", mensagem: "inválido", campos: [{ campo: "chave", mensagem: "ruim", valor: "x" }] },
      "chave: ruim",
    ],
    // PagBank.
    [{ error_messages: [{ code: "40002", description: "já utilizado" }] }, "40002: já utilizado"],
    [{ message: "Forbidden" }, "Forbidden"],
    // Banrisul's gateway.
    [{ ocorrencias: [{ codigo: "7", mensagem: "ruim" }] }, "7: ruim"],
    // Santander.
    [{ fault: { faultstring: "Invalid token", detail: { errorcode: "oauth.v2" } } }, "Invalid token"],
    [{ timestamp: "x", httpStatus: "BAD_REQUEST", details: ["txid ruim"], errorCode: 1 }, "txid ruim"],
    [{ timestamp: "x", httpStatus: "BAD_REQUEST", details: "txid ruim" }, "txid ruim"],
    // OAuth.
    [{ error: "invalid_scope", error_description: "no cobv" }, "invalid_scope; no cobv"],
    [{ error: { code: "x", message: "deu errado" } }, "deu errado"],
    [[{ codigo: "1", mensagem: "um" }, "dois"], "1: um; dois"],
    // A string in place of a list, and a list in place of a string.
    [{ errors: "um só" }, "um só"],
    [{ mensagens: "um só", title: "t" }, "t; um só"],
    [{ violacoes: " ", detail: "d" }, "d"],
    [{ message: ["um", " ", "dois"], statusCode: 400, error: "Bad Request" }, "Bad Request; um; dois"],
    [{ detail: { mensagem: "ruim" } }, "ruim"],
    [{ detail: {}, message: "ruim" }, "ruim"],
    [{ erro: "ruim" }, "ruim"],
    [{ title: " t\n", detail: "\td " }, "t; d"],
    [{ title: " ", nome: "n", erros: [{ codigo: " 1 ", mensagem: " um " }] }, "n; 1: um"],
  ])("has its reason from the body %j", (body, explanation) => {
    expect(Redacted.value(readRefusal(400, body).reason)).toBe(explanation)
  })

  it.each([
    [{ errors: [{ code: "REGISTRO_INEXISTENTE", message: "nada" }] }, "REGISTRO_INEXISTENTE"],
    [{ erros: [{ codigo: "4769515", mensagem: "não há" }, { codigo: "2" }] }, "4769515"],
    [{ codigo: "E-4041", mensagem: "não há" }, "E-4041"],
    [{ error: { code: "not_found", message: "não há" } }, "not_found"],
    [{ nome: "txid_duplicado", erros: [{ codigo: "7" }] }, "txid_duplicado"],
  ])("has the bank's code as its kind if it has no name, like %j", (body, kind) => {
    expect(readRefusal(400, body).kind).toBe(kind)
  })

  it.each(["52998224725", "529-982-247-25", "12ABC34501DE35", "maria@example.com", "não há", "1".repeat(11)])(
    "has no kind if the code can be a payer's data, like %s",
    (code) => {
      expect(readRefusal(400, { errors: [{ code }] })).not.toHaveProperty("kind")
    },
  )

  it("has a shortened reason if the bank's text is long", () => {
    const { reason, kind } = readRefusal(400, { type: "y".repeat(100), title: "x".repeat(10_000) })
    expect([Redacted.value(reason).length, kind?.length]).toEqual([300, 100])
  })

  it("has no kind if its type isn't a short name", () => {
    for (const type of ["y".repeat(101), "Maria 52998224725", "a.b", ""]) {
      const refusal = readRefusal(400, { type, title: "x" })
      expect(refusal).not.toHaveProperty("kind")
      expect(refusal.message).toBe("The bank refused the call with status 400: Redacted.value(error.reason) says why.")
    }
  })

  it("has at most twenty elements of a list in its reason", () => {
    const explanation = (count: number) =>
      Redacted.value(
        readRefusal(
          400,
          Array.from({ length: count }, () => "x"),
        ).reason,
      )
    expect([explanation(20).length, explanation(21).length]).toEqual([58, 58])
  })

  it("has no part of a tax id in its reason even if a long text is cut", () => {
    const { reason } = readRefusal(400, { title: "12.ABC.345/01DE-35".repeat(1_000) })
    expect(Redacted.value(reason)).toBe("*".repeat(300))
  })
})

describe("a notice from a bank", () => {
  const claim = {
    endToEndId: payment.endToEndId,
    txid: charge.txid,
    returnIds: [],
    returnStates: [],
    hasUnnamedReturns: false,
  }

  it("has the ids to look up, whether its payments are a list or a single object", () => {
    expect(read(readNotice, { pix: [payment] })).toEqual([claim])
    expect(read(readNotice, { pix: { ...payment, devolucoes: {} } })).toEqual([
      { ...claim, returnStates: [""], hasUnnamedReturns: true },
    ])
    expect(
      read(readNotice, { pix: { ...payment, devolucoes: [{ id: "D1", status: "DEVOLVIDO" }, { id: 2 }, 3] } }),
    ).toEqual([{ ...claim, returnIds: ["D1", "2"], returnStates: ["DEVOLVIDO", "", ""], hasUnnamedReturns: true }])
    expect(read(readNotice, { pix: [{ endToEndId: 7, txid: null, devolucoes: null }] })).toEqual([
      { endToEndId: "7", returnIds: [], returnStates: [], hasUnnamedReturns: false },
    ])
  })

  it("can be a list of bodies, a bare list of payments, or one payment", () => {
    expect(read(readNotice, [{ pix: [payment] }])).toEqual([claim])
    expect(read(readNotice, [{ pix: [payment, payment] }, { pix: payment }])).toEqual([claim, claim, claim])
    expect(read(readNotice, [payment, payment])).toEqual([claim, claim])
    expect(read(readNotice, payment)).toEqual([claim])
    expect(read(readNotice, [{ pix: [payment] }, payment, 1, {}, [payment]])).toEqual([
      claim,
      claim,
      undefined,
      undefined,
      undefined,
    ])
    expect(read(readNotice, [{ pix: "x" }, { pix: [payment] }])).toEqual([undefined, claim])
    expect(readNotice({ pix: "x" })).toEqual(Result.fail("malformed"))
  })

  it("has no claims if it has no payments, like a bank's test call", () => {
    for (const body of [{ evento: "teste_webhook" }, {}, { pix: [] }, { pix: null }, [], [{ pix: [] }]]) {
      expect(read(readNotice, body)).toEqual([])
    }
  })
})

describe("a webhook that a bank shows", () => {
  it("has its URL, or counts as absent without a URL", () => {
    expect(read(readWebhookUrl, { webhookUrl: "https://shop.invalid" })).toBe("https://shop.invalid")
    for (const none of [{}, { webhookUrl: null }, { webhookUrl: "" }]) {
      expect(read(readWebhookUrl, none)).toBeUndefined()
    }
  })
})

describe("a token from a bank", () => {
  it("has a lifetime, which the bank writes in seconds as a number or a string", () => {
    const readLifetime = (json: object) => read(readToken, { access_token: "t", ...json }).lifetimeMs
    expect(readLifetime({ expires_in: 300 })).toBe(300_000)
    expect(readLifetime({ expires_in: "300" })).toBe(300_000)
    expect(readLifetime({})).toBeUndefined()
    for (const odd of ["", "1 hour", -1, 0.5, {}, null]) expect(readLifetime({ expires_in: odd })).toBeUndefined()
  })

  it("doesn't appear in the string of its redacted value", () => {
    const { token } = read(readToken, { access_token: "t" })
    expect([Redacted.value(token), String(token)]).toEqual(["t", "<redacted>"])
  })

  it.each([
    ['{"error":"invalid_scope","error_description":"o escopo cobv.read não é seu"}', "invalid_scope"],
    ['{"error":"invalid_client"}', "invalid_client"],
    ['{"mensagens":[{"mensagem":"unauthorized_client: Maria das Dores"}]}', "unauthorized_client"],
    ["<html>invalid_grant</html>", "invalid_grant"],
    ['{"error":"invalid_pessoa","error_description":"Maria"}', undefined],
    ["", undefined],
    [`${"x".repeat(5_000)} invalid_scope`, undefined],
  ])("leaves from the refusal %j only the code %s", (text, code) => {
    expect(tokenRefusalCode(text)).toBe(code)
  })

  it.each(["", "a b", "a\r\nb", "é", {}])("is rejected if it is %j, which no header can contain", (access_token) => {
    expect(Result.isFailure(readToken({ access_token }))).toBe(true)
  })
})
