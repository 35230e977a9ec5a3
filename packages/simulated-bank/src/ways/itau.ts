import { type BankWays, type PublishedWays, recurringRoots } from "../wire/BankOptions.ts"
import { type BankAnswer, isRefusalOf, problem } from "../wire/BankRequest.ts"
import type { Fields } from "../wire/json.ts"
import { brasiliaAsUtc, combine, onlyFor, type Reshape, withCharges, withStatus } from "./reshaping.ts"

interface ChargeBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly devedor?: object
}

/** Both tax ids, because every payer in the bank's examples has both. */
const bothDocuments = { cpf: "11111111111", cnpj: "12345678000195" }

const ownCharge = (body: Fields): Fields => {
  const { calendario, devedor, ...charge } = body as unknown as ChargeBody
  const { dataDeVencimento } = calendario
  return {
    ...charge,
    calendario: {
      ...calendario,
      ...(dataDeVencimento !== undefined && { dataDeVencimento: `${String(dataDeVencimento)}T00:00:00Z` }),
    },
    ...(devedor !== undefined && { devedor: { ...bothDocuments, ...devedor } }),
  }
}

const webhookRefusal: BankAnswer = problem(
  400,
  "WebhookOperacaoInvalida",
  '422 : [{"messages":[{"errorCode":"422","message":"There is a target registered using same product_name"}]}]',
  "webhookUrl",
)

/** Answers 404 without a body. */
const withoutBodies: Reshape = (answer, { method }) =>
  method === "GET" && answer.status === 404 ? { status: 204 } : answer

const withOwnRefusal: Reshape = (answer) => (isRefusalOf(answer, "chave") ? webhookRefusal : answer)

const inOwnForm = combine(
  withCharges(ownCharge),
  onlyFor(["PATCH cobv"], withStatus(200, 201)),
  onlyFor(["PUT webhook"], combine(withOwnRefusal, withStatus(200, 201))),
  onlyFor(["GET pix", "GET webhook"], withoutBodies),
)

/** Look-ups of immediate charges and payments have Brasília's time, except in returns. */
const withLocalTimes: Reshape = (answer, call) =>
  call.path.includes("/devolucao/") ? answer : brasiliaAsUtc(answer, call)

const both: Partial<BankWays> = {
  token: {
    client: "body",
    content: "form",
    // No published request since 2022 has a scope.
    scope: "refused",
    query: {},
    headers: { "x-itau-correlationID": "freshUuid", "x-itau-flowID": "freshUuid" },
  },
  tokenLifetimeSeconds: 300,
  putOnWebhook: "refuses",
}

/** The ways of the portal's sandboxes. Real ones return fixed examples; these have the ways of the real bank. */
const sandbox: Partial<BankWays> = {
  hosts: { api: "sandbox.devportal.itau.com.br", token: "sandbox.devportal.itau.com.br" },
  tokenPath: "/api/oauth/jwt",
  certificate: "none",
}

/** Requires the call's id under both names: the name in the bank's definition, and the name in programs. */
const recebimentos: Partial<BankWays> = {
  ...both,
  wants: {
    headers: {
      "x-itau-apikey": "keyOrClientId",
      "x-correlationID": "freshUuid",
      "x-itau-correlationID": "freshUuid",
    },
    query: {},
  },
  code: "ownCall",
  returnPace: "atOnce",
  listsBy: "each",
  reshape: combine(inOwnForm, onlyFor(["GET cob", "GET pix"], withLocalTimes)),
}

const regulatorio: Partial<BankWays> = {
  ...both,
  wants: { headers: { "x-itau-apikey": "keyOrClientId", "x-itau-correlationID": "freshUuid" }, query: {} },
  reshape: inOwnForm,
}

/** Pix Automático. Sources: the notes and tests of https://github.com/sistem-atc/bank-sdk, read 2026-11-29. */
const automatico = recurringRoots("https://pixautomatico-recebimentos.api.itau.com/pixautomatico/v1")

/**
 * Itaú's `pix_recebimentos`. Sources: its OpenAPI 2.41.15 (https://github.com/tiagoskabrazil/pixrecebimentos-itau),
 * https://github.com/mastria/api-itau (token, headers, hosts as of 2026-09-04), https://github.com/bacen/pix-api/issues/573
 * (times) and https://github.com/bacen/pix-api/issues/9 (a second webhook), all read 2026-11-22. Its clock for a
 * period is unknown, so this is the stricter way.
 */
export const itau: PublishedWays = {
  production: {
    ...recebimentos,
    hosts: { api: "secure.gateway.api.itau", token: "sts.itau.com.br" },
    apiRoot: "/pix_recebimentos/v2",
    apiRoots: automatico,
    tokenPath: "/api/oauth/token",
  },
  sandbox: { ...recebimentos, ...sandbox, apiRoot: "/itau-ep9-gtw-pix-recebimentos-ext-v2/v2" },
}

/**
 * Itaú's `regulatorio-pix`. Sources: its OpenAPI 2.27.2 and the notes in the same folder
 * (https://github.com/leonardolermen/payment-gateway, `docs/providers/itau`), read 2026-11-22. Its answer to a second webhook is
 * unknown, so this is the stricter way.
 */
export const itauRegulatorio: PublishedWays = {
  production: {
    ...regulatorio,
    hosts: { api: "pix-pj.api.itau.com", token: "sts.itau.com.br" },
    apiRoot: "/regulatorio-pix/v2",
    apiRoots: automatico,
    tokenPath: "/as/token.oauth2",
  },
  sandbox: { ...regulatorio, ...sandbox, apiRoot: "/itau-ep9-api-regulatorio-pix-v2-externo/v2" },
}
