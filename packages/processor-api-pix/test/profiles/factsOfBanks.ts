import type { BankFacts, FactsOfBanks, TokenFacts } from "./BankFacts.ts"

export const given = {
  clientId: "an-id",
  clientSecret: "a secret",
  applicationKey: "a-key",
  account: "1234567",
  token: "the-token",
} as const

const allScopes = "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read"

/** The value is the Base64 of `an-id:a secret`. */
const inHeader = { authorization: "Basic YW4taWQ6YSBzZWNyZXQ=" }

const grant = "grant_type=client_credentials"
const scopes = `scope=${allScopes.replaceAll(" ", "+")}`
const inBody = "client_id=an-id&client_secret=a+secret"

const form = (url: string, body: string, headers: Readonly<Record<string, string>> = {}): TokenFacts => ({
  url,
  headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded", ...headers },
  body,
})

const json = (url: string, body: string): TokenFacts => ({
  url,
  headers: { accept: "application/json", "content-type": "application/json", ...inHeader },
  body,
})

const standard: BankFacts = {
  needs: ["clientSecret", "certificate"],
  takes: [],
  token: form("https://pix.bank.example/oauth/token", `${grant}&${scopes}`, inHeader),
  otherTokenUrls: [],
  root: "https://pix.bank.example/api/v2",
  rootsApart: {},
  headers: {},
  query: {},
  headersOfAll: {},
  immediate: ["GET /cob", "PUT /cob"],
  dueDate: ["GET /cobv", "PUT /cobv"],
  change: ["GET /cob", "PATCH /cob"],
  codes: ["pixCopiaECola"],
  codeOfAnother: "refused",
  lists: ["2025-01-25T00:00:00Z to 2025-02-04T00:00:00Z"],
  page: "0 of 100",
  emptyList: "is a page",
  noonWithoutZone: "12:00 UTC",
  noonIsBrasilias: [],
  absences: [],
  deadTokens: ["401 Unauthorized"],
  perMinute: {},
  pauseMs: 1_000,
  returnBody: '{"valor":"1.00","descricao":"Troco"}',
  cycle: "bare",
  recurringNeeds: [],
  webhook: { path: "/webhook/%2B5581999990000", url: "https://shop.example/pix", headers: {} },
}

/** The calls at a bank that refuses a second `PUT`: the client doesn't look the charge up before. */
const refusesSecondPut = { immediate: ["PUT /cob"], dueDate: ["PUT /cobv"] }

const bancoDoBrasil: BankFacts = {
  ...standard,
  needs: ["clientSecret", "certificate", "applicationKey"],
  query: { "gw-dev-app-key": "a-key" },
  codes: ["pixCopiaECola", "textoImagemQRcode"],
  emptyList: "is missing",
  noonWithoutZone: "15:00 UTC",
  lists: [
    "2025-01-25T00:00:00Z to 2025-01-28T23:59:58Z",
    "2025-01-28T23:59:58Z to 2025-02-01T23:59:56Z",
    "2025-02-01T23:59:56Z to 2025-02-04T00:00:00Z",
  ],
}

const efi: BankFacts = {
  ...standard,
  ...refusesSecondPut,
  takes: ["skipWebhookMtls"],
  returnBody: '{"valor":"1.00"}',
  recurringNeeds: ["recebedor.agencia", "destinatario.agencia", "valor"],
  absences: ["cobranca_nao_encontrada", "pix_nao_encontrado", "devolucao_nao_encontrada", "webhook_nao_encontrado"],
  webhook: {
    ...standard.webhook,
    url: "https://shop.example/pix?ignorar=",
    headers: { "x-skip-mtls-checking": "true" },
  },
}

const jsonGrant = '{"grant_type":"client_credentials"}'

const inter: BankFacts = {
  ...standard,
  takes: ["account"],
  headersOfAll: { "x-conta-corrente": "1234567" },
  pauseMs: 60_000,
  webhook: { ...standard.webhook, path: "/webhook/5581999990000" },
}

const webhookCalls = {
  "PUT webhook": 10,
  "GET webhook": 10,
  "DELETE webhook": 10,
  "PUT recurrenceWebhook": 10,
  "GET recurrenceWebhook": 10,
  "DELETE recurrenceWebhook": 10,
  "PUT cycleWebhook": 10,
  "GET cycleWebhook": 10,
  "DELETE cycleWebhook": 10,
  "all webhook": 10,
}

/** A limit that all calls share also limits each single call. */
const limitEach = (perMinute: number): Readonly<Record<string, number>> => ({
  "PUT immediate": perMinute,
  "PUT dueDate": perMinute,
  "GET immediate": perMinute,
  "GET dueDate": perMinute,
  "PATCH immediate": perMinute,
  "PATCH dueDate": perMinute,
  "GET immediateCode": perMinute,
  "GET dueDateCode": perMinute,
  "GET payments": perMinute,
  "GET payment": perMinute,
  "PUT return": perMinute,
  "GET return": perMinute,
  "POST recurrenceLocations": perMinute,
  "POST recurrences": perMinute,
  "GET recurrences": perMinute,
  "GET recurrence": perMinute,
  "PATCH recurrence": perMinute,
  "POST recurrenceRequests": perMinute,
  "PUT cycle": perMinute,
  "GET cycle": perMinute,
  "PATCH cycle": perMinute,
  "POST retry": perMinute,
  all: perMinute,
})

const recurringCalls = [
  "POST recurrenceLocations",
  "POST recurrences",
  "GET recurrences",
  "GET recurrence",
  "PATCH recurrence",
  "POST recurrenceRequests",
  "PUT cycle",
  "GET cycle",
  "PATCH cycle",
  "POST retry",
  "PUT recurrenceWebhook",
  "GET recurrenceWebhook",
  "DELETE recurrenceWebhook",
  "PUT cycleWebhook",
  "GET cycleWebhook",
  "DELETE cycleWebhook",
]

const recurringAt = (root: string) => Object.fromEntries(recurringCalls.map((call) => [call, root]))

const itauIds = { "x-correlationID": "<fresh>", "x-itau-correlationID": "<fresh>" }
const itauTokenHeaders = { "x-itau-correlationID": "<fresh>", "x-itau-flowID": "<fresh>" }
const itauToken = (url: string) => form(url, `${grant}&${inBody}`, itauTokenHeaders)

const itauRegulatorio: BankFacts = {
  ...standard,
  rootsApart: recurringAt("https://pixautomatico-recebimentos.api.itau.com/pixautomatico/v1"),
  takes: ["applicationKey"],
  token: itauToken("https://sts.itau.com.br/as/token.oauth2"),
  root: "https://pix-pj.api.itau.com/regulatorio-pix/v2",
  headers: { "x-itau-apikey": "an-id", ...itauIds },
  headersOfAll: { "x-itau-apikey": "a-key" },
}

const itau: BankFacts = {
  ...itauRegulatorio,
  token: itauToken("https://sts.itau.com.br/api/oauth/token"),
  root: "https://secure.gateway.api.itau/pix_recebimentos/v2",
  immediate: ["GET /cob", "PUT /cob", "GET /cob/qrcode"],
  dueDate: ["GET /cobv", "PUT /cobv", "GET /cobv/qrcode"],
  codes: ["emv", "pixCopiaECola"],
  noonIsBrasilias: ["GET immediate", "GET payment", "GET payments"],
  // The list begins three hours earlier, because the bank can read the period in UTC or in Brasília's time.
  lists: ["2025-01-24T21:00:00Z to 2025-02-04T00:00:00Z"],
}

const itauSandbox = {
  rootsApart: {},
  cycle: "none",
  needs: ["clientSecret"],
  token: itauToken("https://sandbox.devportal.itau.com.br/api/oauth/jwt"),
} as const

const pagbank: BankFacts = {
  ...standard,
  cycle: "none",
  dueDate: [],
  codeOfAnother: "taken",
}

const pagbankBody =
  '{"grant_type":"client_credentials","scope":"cob.write cob.read pix.write pix.read webhook.write webhook.read"}'

const cielo: BankFacts = {
  ...standard,
  dueDate: [],
  token: json("https://api2.cielo.com.br/v2/oauth/access-token", pagbankBody),
  root: "https://api-mtls.cielo.com.br/cielo-pix/v1",
}

const santanderApart = (host: string) => ({
  "PATCH immediate": `${host}/api/v2`,
  "PATCH dueDate": `${host}/api/v2`,
})

const santanderAt = (host: string): BankFacts => ({
  ...standard,
  ...refusesSecondPut,
  token: form(`${host}/oauth/token?${grant}`, inBody),
  root: `${host}/api/v1`,
  rootsApart: santanderApart(host),
  headers: { "x-application-key": "an-id" },
})

const sicoob: BankFacts = {
  ...standard,
  cycle: "none",
  needs: ["certificate"],
  token: form(
    "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
    `${grant}&${scopes}&client_id=an-id`,
  ),
  root: "https://api.sicoob.com.br/pix/api/v2",
  headers: { client_id: "an-id", "x-sicoob-clientid": "an-id" },
  codes: ["brcode", "pixCopiaECola"],
  // The month ends three hours earlier in UTC than in Brasília.
  lists: [
    "2025-01-25T00:00:00Z to 2025-01-31T23:59:59Z",
    "2025-02-01T00:00:00Z to 2025-02-01T02:59:59Z",
    "2025-02-01T03:00:00Z to 2025-02-04T00:00:00Z",
  ],
}

const sicrediAt = (host: string): BankFacts => ({
  ...standard,
  token: form(`${host}/oauth/token`, `${grant}&${scopes}`, inHeader),
  root: `${host}/api/v2`,
  rootsApart: {
    "PUT immediate": `${host}/api/v3`,
    "GET immediate": `${host}/api/v3`,
    "PATCH immediate": `${host}/api/v3`,
    ...recurringAt(`${host}/api/v1`),
  },
  deadTokens: ["401 Unauthorized", "403 Token expired"],
})

const factsAt = (of: BankFacts, host: string, apiPath: string, token: TokenFacts): BankFacts => ({
  ...of,
  root: `${host}${apiPath}`,
  token: { ...token, url: `${host}${token.url}` },
})

const banrisulToken = form("/auth/oauth/v2/token", `${grant}&${scopes}`, inHeader)
const bradescoToken = form("/auth/server/oauth/token", grant, inHeader)
const c6Token = form("/v1/auth", grant, inHeader)
const interToken = form("/oauth/v2/token", `${grant}&${scopes}&${inBody}`)

const c6: BankFacts = { ...standard, cycle: "with devedor" }

/** The facts of each bank, from `docs/banks.md` and from the sources in the table of banks. */
export const factsOfBanks: FactsOfBanks = {
  standard: { production: standard },
  bancoDoBrasil: {
    production: {
      ...bancoDoBrasil,
      token: form("https://oauth.bb.com.br/oauth/token", `${grant}&${scopes}`, inHeader),
      root: "https://api-pix.bb.com.br/pix/v2",
    },
    sandbox: {
      ...bancoDoBrasil,
      needs: ["clientSecret", "applicationKey"],
      token: form("https://oauth.hm.bb.com.br/oauth/token", `${grant}&${scopes}`, inHeader),
      root: "https://api.hm.bb.com.br/pix/v2",
    },
  },
  banrisul: {
    production: factsAt(standard, "https://mtls-api.banrisul.com.br", "/pix/api-mtls", banrisulToken),
    sandbox: factsAt(standard, "https://mtls-api-h.banrisul.com.br", "/pix/api-mtls", banrisulToken),
  },
  bradesco: {
    production: factsAt(
      {
        ...standard,
        rootsApart: recurringAt("https://apipix.bradesco.com.br/v1"),
        otherTokenUrls: ["https://qrpix.bradesco.com.br/oauth/token", "https://qrpix.bradesco.com.br/v2/oauth/token"],
      },
      "https://qrpix.bradesco.com.br",
      "/v2",
      bradescoToken,
    ),
    sandbox: factsAt(
      {
        ...standard,
        rootsApart: recurringAt("https://apipix-h.bradesco.com.br/v1"),
        otherTokenUrls: [
          "https://qrpix-h.bradesco.com.br/oauth/token",
          "https://qrpix-h.bradesco.com.br/v2/oauth/token",
        ],
      },
      "https://qrpix-h.bradesco.com.br",
      "/v2",
      bradescoToken,
    ),
  },
  c6: {
    production: factsAt(c6, "https://baas-api.c6bank.info", "/v2/pix", c6Token),
    sandbox: factsAt(c6, "https://baas-api-sandbox.c6bank.info", "/v2/pix", c6Token),
  },
  cielo: {
    production: cielo,
    sandbox: {
      ...cielo,
      needs: ["clientSecret"],
      token: json("https://api2.cielo.com.br/sandbox/v2/oauth/access-token", pagbankBody),
      root: "https://api2.cielo.com.br/sandbox/cielo-pix/v1",
    },
  },
  efi: {
    production: factsAt(efi, "https://pix.api.efipay.com.br", "/v2", json("/oauth/token", jsonGrant)),
    sandbox: factsAt(efi, "https://pix-h.api.efipay.com.br", "/v2", json("/oauth/token", jsonGrant)),
  },
  inter: {
    production: factsAt(
      { ...inter, perMinute: { ...webhookCalls, ...limitEach(120), token: 5 } },
      "https://cdpj.partners.bancointer.com.br",
      "/pix/v2",
      interToken,
    ),
    sandbox: factsAt(
      { ...inter, perMinute: { ...webhookCalls, ...limitEach(10), token: 5 } },
      "https://cdpj-sandbox.partners.uatinter.co",
      "/pix/v2",
      interToken,
    ),
  },
  itau: {
    production: itau,
    sandbox: {
      ...itau,
      ...itauSandbox,
      root: "https://sandbox.devportal.itau.com.br/itau-ep9-gtw-pix-recebimentos-ext-v2/v2",
    },
  },
  itauRegulatorio: {
    production: itauRegulatorio,
    sandbox: {
      ...itauRegulatorio,
      ...itauSandbox,
      root: "https://sandbox.devportal.itau.com.br/itau-ep9-api-regulatorio-pix-v2-externo/v2",
    },
  },
  pagbank: {
    production: factsAt(
      pagbank,
      "https://secure.api.pagseguro.com",
      "/instant-payments",
      json("/pix/oauth2", pagbankBody),
    ),
    sandbox: factsAt(
      pagbank,
      "https://secure.sandbox.api.pagseguro.com",
      "/instant-payments",
      json("/pix/oauth2", pagbankBody),
    ),
  },
  santander: {
    production: santanderAt("https://trust-pix.santander.com.br"),
    sandbox: santanderAt("https://trust-pix-h.santander.com.br"),
  },
  sicoob: {
    production: sicoob,
    sandbox: {
      ...sicoob,
      needs: ["token"],
      token: "none",
      root: "https://sandbox.sicoob.com.br/sicoob/sandbox/pix/api/v2",
    },
  },
  sicredi: {
    production: sicrediAt("https://api-pix.sicredi.com.br"),
    sandbox: sicrediAt("https://api-pix-h.sicredi.com.br"),
  },
}
