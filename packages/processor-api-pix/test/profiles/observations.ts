import type { RegisteredCharge } from "@pixcharge/core"
import { encodeBrCode } from "@pixcharge/core/brcode"
import type { RequestedRecurrence } from "@pixcharge/core/recurrence"
import type { ApiPixConnection, ReceivingAccount } from "@pixcharge/processor-api-pix"
import type { Cents } from "@pixcharge/core/money"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { type Connection, openConnection } from "../../src/connection/openConnection.ts"
import { fetchToken } from "../../src/client/AccessToken.ts"
import { Pace } from "../../src/client/Pace.ts"
import { type PacedCall } from "../../src/profiles/PspProfile.ts"
import { callRequest } from "../../src/client/PspCall.ts"
import { makePspClient, type PspClient } from "../../src/client/PspClient.ts"
import { readAnswer } from "../../src/client/readAnswer.ts"
import type { HttpRequest } from "../../src/connection/Transport.ts"
import { chargeCycle } from "../../src/recurrences/chargeCycle.ts"
import { offer } from "../../src/recurrences/offer.ts"
import { change } from "../../src/processor/change.ts"
import { payments } from "../../src/processor/payments.ts"
import { refund } from "../../src/processor/refund.ts"
import { register } from "../../src/processor/register.ts"
import { registerWebhook, webhookUrlAt } from "../../src/notices/registerWebhook.ts"
import type { ApiMethod, Endpoint, Resource } from "../../src/wire/paths.ts"
import { type BankAnswer, chargeAnswer } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"
import type { BankFacts, Given } from "./BankFacts.ts"
import { given } from "./factsOfBanks.ts"
import { aCycleCharge, aRecurrence, receivingAccount } from "../recurrences/aRecurrence.ts"

export type Named = Pick<ApiPixConnection, "psp" | "profile" | "stage" | "baseUrl" | "receivingAccount">

export interface Observed {
  readonly named: Named
  readonly facts: BankFacts
}

const below = /^.*(\/(?:cobv?|cobr|webhook)\/.*|\/pix)$/

type Answering = (call: string, url: URL) => BankAnswer

const answeringFetch = (answer: Answering) => {
  const seen: Array<{ readonly call: string; readonly url: URL; readonly init: RequestInit }> = []
  const fetch = (text: string, init: RequestInit): Promise<Response> => {
    const url = new URL(text)
    const call = `${init.method} ${below.exec(url.pathname)?.[1] ?? url.pathname}`
    seen.push({ call, url, init })
    const [status, body] =
      init.method === "POST" ? ([200, { access_token: "t0k3n", expires_in: 600 }] as const) : answer(call, url)
    return Promise.resolve(new Response(JSON.stringify(body), { status }))
  }
  return { seen, fetch }
}

const nothing: Answering = () => [404, { title: "NaoEncontrado" }]

const open = ({ named }: Observed, holds: ReadonlyArray<Given>, answer = nothing) => {
  const { seen, fetch } = answeringFetch(answer)
  const { clientId, ...optional } = given
  const connection = {
    ...named,
    clientId,
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => (holds as ReadonlyArray<string>).includes(name))),
    ...(holds.includes("certificate") && { fetch }),
    ...(holds.includes("skipWebhookMtls") && { skipWebhookMtls: true }),
  } as ApiPixConnection
  return { seen, connection: openConnection(company.cnpj, connection) }
}

const isOpened = (observed: Observed, holds: ReadonlyArray<Given>): boolean => {
  try {
    open(observed, holds).connection.transport.close()
    return true
  } catch {
    return false
  }
}

const holdsAll = ({ needs, takes }: BankFacts): ReadonlyArray<Given> => [...needs, ...takes, "certificate"]

/** A pace without limits: no call waits. */
const makeUnlimitedPace = () => new Pace({ limits: [] })

const ask = <A, E>(observed: Observed, answer: Answering, use: (client: PspClient) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const { seen, connection } = open(observed, holdsAll(observed.facts), answer)
    const client = makePspClient(connection, yield* Effect.scope, makeUnlimitedPace())
    return { seen, result: yield* Effect.result(use(client)) }
  }).pipe(Effect.scoped, Effect.runPromise)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads a request's headers. A UUID that differs in the next request is replaced by `<fresh>`. */
const readHeaders = (one: HttpRequest, next: HttpRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(one.headers).map(([name, value]) => [
      name,
      uuid.test(value) && next.headers[name] !== value ? "<fresh>" : value,
    ]),
  )

const observeToken = (connection: Connection): BankFacts["token"] => {
  const sent: Array<HttpRequest> = []
  const send = (request: HttpRequest) => {
    sent.push(request)
    return Effect.succeed({ status: 200, text: '{"access_token":"t0k3n"}' })
  }
  Effect.runSync(Effect.andThen(fetchToken(connection, send), fetchToken(connection, send)))
  const [one, next] = sent
  if (one === undefined || next === undefined) return "none"
  return { url: one.url, headers: readHeaders(one, next), body: one.body ?? "" }
}

const listTokenUrls = (connection: Connection): ReadonlyArray<string> => {
  const urls: Array<string> = []
  const send = ({ url }: HttpRequest) => {
    urls.push(url)
    return Effect.succeed({ status: 404, text: "" })
  }
  Effect.runSync(Effect.exit(fetchToken(connection, send)))
  return urls
}

/** All calls to a bank. */
const endpoints: ReadonlyArray<Endpoint> = [
  ...(["PUT", "GET", "PATCH"] as const).flatMap((method) => [`${method} immediate`, `${method} dueDate`] as const),
  "GET immediateCode",
  "GET dueDateCode",
  "GET payments",
  "GET payment",
  "PUT return",
  "GET return",
  "PUT webhook",
  "GET webhook",
  "DELETE webhook",
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

const findCall = (endpoint: Endpoint) => {
  const [method, resource] = endpoint.split(" ") as [ApiMethod, Resource]
  return { operation: "test", method, path: { resource, text: "/one" }, read: (json: unknown) => Result.succeed(json) }
}

const bearer = { token: Redacted.make("t0k3n") }

const listRequests = (connection: Connection, endpoint: Endpoint) =>
  [1, 2].map(() => callRequest(connection, findCall(endpoint), bearer)) as [HttpRequest, HttpRequest]

const own = new Set(["accept", "authorization"])

const sentWith = (connection: Connection) => {
  const [one, next] = listRequests(connection, "GET payment")
  return Object.fromEntries(Object.entries(readHeaders(one, next)).filter(([name]) => !own.has(name)))
}

/** Reads an answer that contains noon on 25 January 2025, written as `text`. */
const noonAt = ({ profile }: Connection, endpoint: Endpoint, text: string): number => {
  const answer = { status: 200, text: JSON.stringify({ horario: text }) }
  const read = Effect.runSync(readAnswer(profile, findCall(endpoint), answer, Date.UTC(2025, 1, 4)))
  const { horario } = read as { readonly horario: string }
  return Date.parse(/Z|[+-]\d\d:\d\d$/.test(horario) ? horario : `${horario}Z`)
}

const [noon, brasiliasNoon] = [Date.UTC(2025, 0, 25, 12), Date.UTC(2025, 0, 25, 15)]

const kinds = [
  "cobranca_nao_encontrada",
  "pix_nao_encontrado",
  "devolucao_nao_encontrada",
  "webhook_nao_encontrado",
  "valor_invalido",
]

const isAbsence = ({ profile }: Connection, kind: string): boolean => {
  const answer = { status: 400, text: JSON.stringify({ nome: kind, mensagem: "Nada" }) }
  const refused = Effect.runSync(Effect.flip(readAnswer(profile, findCall("GET payment"), answer, 0)))
  return refused._tag === "PspRefusal" && refused.status === 404
}

const codeAt = (merchantName: string, url: string): string =>
  Result.getOrThrow(
    encodeBrCode({ _tag: "Dynamic", url, pointOfInitiation: "singleUse", merchantName, merchantCity: "RECIFE" }),
  )

const codeNames = ["brcode", "emv", "pixCopiaECola", "textoImagemQRcode"]
const location = "bank.example/qr/v2/abcdef0123456789"

const isCharge = (call: string): boolean => /\/cobv?\/[^/]+$/.test(call)

const issueAt = async (observed: Observed, dueInDays: number | undefined, fields: object, code: object = {}) => {
  const order = await Effect.runPromise(anOrder(company, dueInDays === undefined ? {} : { dueInDays }))
  const { dueDate } = order
  const calendario = dueDate === undefined ? {} : { calendario: { dataDeVencimento: dueDate } }
  const charge = chargeAnswer(order.txid, { ...calendario, ...fields })
  const answer: Answering = (call) => {
    if (!isCharge(call)) return [200, code]
    return call.startsWith("GET") ? [404, { title: "NaoEncontrado" }] : [201, charge]
  }
  const { seen, result } = await ask(observed, answer, (client) => register(client, order))
  return {
    calls: seen.filter(({ init }) => init.method !== "POST").map(({ call }) => call.replace(`/${order.txid}`, "")),
    brCode: Result.isSuccess(result) ? (result.success satisfies RegisteredCharge).brCode : undefined,
  }
}

const issuingCalls = async (observed: Observed, dueInDays?: number) =>
  (await issueAt(observed, dueInDays, {}, { pixCopiaECola: codeAt("O Banco", location) })).calls

const changingCalls = async (observed: Observed) => {
  const order = { ...(await Effect.runPromise(anOrder(company))), amountCents: 2500 as Cents }
  const answer: Answering = (call) => {
    if (!isCharge(call)) return [200, { pixCopiaECola: codeAt("O Banco", location) }]
    return [200, chargeAnswer(order.txid, call.startsWith("GET") ? {} : { valor: { original: "25.00" } })]
  }
  const { seen } = await ask(observed, answer, (client) => change(client, order))
  const calls = seen.filter(({ init }) => init.method !== "POST").map(({ call }) => call)
  return calls.filter(isCharge).map((call) => call.replace(`/${order.txid}`, ""))
}

const takenCodes = async (observed: Observed) => {
  const brCode = codeAt("O Banco", location)
  const names = await Promise.all(
    codeNames.map(async (name) => {
      const inCharge = await issueAt(observed, undefined, { [name]: brCode }, { pixCopiaECola: "" })
      return inCharge.brCode === brCode ? [name] : []
    }),
  )
  return names.flat()
}

const emptyPage = { parametros: { paginacao: { quantidadeDePaginas: 1, quantidadeTotalDeItens: 0 } }, pix: [] }

const listQueries = async (observed: Observed) => {
  const period = { from: Date.UTC(2025, 0, 25), until: Date.UTC(2025, 1, 4) }
  const list = (client: PspClient) =>
    Effect.gen(function* () {
      let cursor: string | undefined
      do ({ cursor } = yield* payments(client, company.cnpj, period, cursor))
      while (cursor !== undefined)
    })
  const { seen } = await ask(observed, () => [200, emptyPage], list)
  return seen.filter(({ call }) => call === "GET /pix").map(({ url }) => url.searchParams)
}

const makeEmptyList = async (observed: Observed) => {
  const period = { from: Date.UTC(2025, 0, 25), until: Date.UTC(2025, 0, 26) }
  const { result } = await ask(observed, nothing, (client) => payments(client, company.cnpj, period, undefined))
  return Result.isSuccess(result) ? "is missing" : "is a page"
}

const refusals = [
  [401, "Unauthorized"],
  [403, "Token expired"],
  [403, "Forbidden"],
  [400, "Token expired"],
] as const

/** Whether a refusal counts as a dead token: the client then fetches a new token and repeats the call. */
const isDeadToken = async (observed: Observed, [status, detail]: (typeof refusals)[number]) => {
  const answer: Answering = () => [status, { title: detail }]
  const { seen } = await ask(observed, answer, (client) => client.call(findCall("GET webhook")))
  return seen.filter(({ init }) => init.method === "GET").length > 1
}

const maxCalls = 250

/** Counts how many of these calls can be sent without a wait. Refunds and issuing together use the whole limit. */
const countPassing = ({ profile }: Connection, calls: ReadonlyArray<PacedCall>): number =>
  Effect.gen(function* () {
    const pace = new Pace(profile.pace)
    let passed = 0
    for (const urgency of ["refund", "issue"] as const) {
      while (passed < maxCalls) {
        const turn = { urgency, call: calls[passed % calls.length] ?? "token", maxWaitMs: 0 }
        if (Result.isFailure(yield* Effect.result(pace.take(turn)))) break
        passed += 1
      }
    }
    return passed
  }).pipe(Effect.runSync)

const webhookCalls = endpoints.filter((endpoint) => /webhook$/i.test(endpoint))

/** The groups of calls whose limits are observed: single calls, and calls that share a limit. */
const groups: Readonly<Record<string, ReadonlyArray<PacedCall>>> = {
  ...Object.fromEntries(endpoints.map((endpoint) => [endpoint, [endpoint]])),
  token: ["token"],
  "all webhook": webhookCalls,
  all: endpoints.filter((endpoint) => !webhookCalls.includes(endpoint)),
}

/** Observes the pause after a 429. */
const pauseAfter429 = (observed: Observed) =>
  Effect.gen(function* () {
    const { connection } = open(observed, holdsAll(observed.facts), () => [429, {}])
    const client = makePspClient(connection, yield* Effect.scope, makeUnlimitedPace())
    const calling = yield* Effect.forkChild(Effect.flip(client.call(findCall("GET payment"))))
    while (calling.pollUnsafe() === undefined) {
      yield* Effect.promise(() => new Promise(setImmediate))
      yield* TestClock.adjust(500)
    }
    const refused = yield* Fiber.join(calling)
    // The wait is rounded up, because a part of the pause has passed when the call fails.
    return refused._tag === "ProcessorUnavailable" && Math.ceil((refused.retryAfterMs ?? 0) / 1_000) * 1_000
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

const registeredAt = async (observed: Observed): Promise<BankFacts["webhook"] | undefined> => {
  const order = { pixKey: "+5581999990000", mountedAt: "https://shop.example", reconcile: async () => undefined }
  const { seen } = await ask(
    observed,
    () => [200, {}],
    (client) => registerWebhook(client, company.cnpj, webhookUrlAt(client, order.mountedAt, "/pix"), order),
  )
  const put = seen.find(({ init }) => init.method === "PUT")
  if (put === undefined) return undefined
  const { webhookUrl } = JSON.parse(String(put.init.body)) as { readonly webhookUrl: string }
  const usual = new Set([...own, "accept-encoding", "content-type", ...Object.keys(observed.facts.headers)])
  const { headersOfAll } = observed.facts
  const headers = Object.entries(put.init.headers as Readonly<Record<string, string>>)
  return {
    path: put.call.replace("PUT ", ""),
    url: webhookUrl,
    headers: Object.fromEntries(headers.filter(([name]) => !usual.has(name) && !Object.hasOwn(headersOfAll, name))),
  }
}

const cycleBodyAt = async (observed: Observed): Promise<BankFacts["cycle"]> => {
  const recurring = { ...observed, named: { ...observed.named, receivingAccount } }
  if (!isOpened(recurring, holdsAll(observed.facts))) return "none"
  const { seen } = await ask(
    recurring,
    () => [201, {}],
    (client) => chargeCycle(client, { company, charge: aCycleCharge() }, receivingAccount),
  )
  const put = seen.find(({ init }) => init.method === "PUT")
  return "devedor" in JSON.parse(String(put?.init.body)) ? "with devedor" : "bare"
}

const isOffered = async (observed: Observed, lacking: Partial<RequestedRecurrence>): Promise<boolean> => {
  const recurrence = aRecurrence(lacking)
  const { seen } = await ask(observed, nothing, (client) => offer(client, { company, recurrence, isFresh: true }))
  return seen.some(({ url }) => /\/(?:loc)?rec$/.test(url.pathname))
}

const recurringNeeds = async (observed: Observed): Promise<BankFacts["recurringNeeds"]> => {
  const withAccount = (account: ReceivingAccount) => ({
    ...observed,
    named: { ...observed.named, receivingAccount: account },
  })
  const { branch: _, ...unbranched } = receivingAccount
  const recurring = withAccount(receivingAccount)
  if (!isOpened(recurring, holdsAll(observed.facts))) return []
  const journey = { by: "bank", ispb: "12345678", account: "1", until: Date.now() } as const
  const opens = isOpened(withAccount(unbranched), holdsAll(observed.facts))
  return [
    ...(opens ? [] : ["recebedor.agencia" as const]),
    ...((await isOffered(recurring, { journey })) ? [] : ["destinatario.agencia" as const]),
    ...((await isOffered(recurring, { amountCents: undefined } as object)) ? [] : ["valor" as const]),
  ]
}

const returnBodyAt = async (observed: Observed): Promise<string> => {
  const order = { issuer: company.cnpj, endToEndId: "E".padEnd(32, "1"), refundId: "R1", amountCents: 100 as Cents }
  const { seen } = await ask(observed, nothing, (client) => refund(client, { ...order, reason: "Troco" }))
  return String(seen.find(({ init }) => init.method === "PUT")?.init.body)
}

const others: ReadonlyArray<Given> = ["applicationKey", "account", "token", "skipWebhookMtls"]

const connections = new WeakMap<Observed, Connection>()

const makeConnection = (observed: Observed): Connection => {
  const known = connections.get(observed)
  if (known !== undefined) return known
  const { connection } = open(observed, holdsAll(observed.facts))
  connections.set(observed, connection)
  return connection
}

type Observations = { readonly [Field in keyof BankFacts]: (observed: Observed) => unknown }

/** For each fact, an observation of the calls that a client makes. Fast observations come first. */
export const observations: Observations = {
  needs: (observed) => {
    const { needs } = observed.facts
    return isOpened(observed, needs)
      ? needs.filter(
          (one) =>
            !isOpened(
              observed,
              needs.filter((of) => of !== one),
            ),
        )
      : []
  },
  takes: (observed) => {
    const { needs } = observed.facts
    return others.filter((one) => !needs.includes(one) && isOpened(observed, [...needs, one]))
  },
  token: (observed) => observeToken(makeConnection(observed)),
  otherTokenUrls: (observed) => listTokenUrls(makeConnection(observed)).slice(1),
  root: (observed) => {
    const { url } = listRequests(makeConnection(observed), "GET payment")[0]
    return url.slice(0, url.indexOf("/one"))
  },
  rootsApart: (observed) => {
    const connection = makeConnection(observed)
    const roots = endpoints.map((endpoint) => {
      const { url } = listRequests(connection, endpoint)[0]
      return [endpoint, url.slice(0, url.indexOf("/one"))] as const
    })
    return Object.fromEntries(roots.filter(([, root]) => root !== observed.facts.root))
  },
  headers: (observed) => sentWith(open(observed, [...observed.facts.needs, "certificate"]).connection),
  headersOfAll: (observed) => {
    const all = Object.entries(sentWith(makeConnection(observed)))
    return Object.fromEntries(all.filter(([name, value]) => observed.facts.headers[name] !== value))
  },
  query: (observed) => {
    const { url } = listRequests(makeConnection(observed), "GET payment")[0]
    return Object.fromEntries(new URL(url).searchParams)
  },
  noonWithoutZone: (observed) => {
    const read = noonAt(makeConnection(observed), "GET return", "2025-01-25T12:00:00")
    return { [noon]: "12:00 UTC", [brasiliasNoon]: "15:00 UTC" }[read]
  },
  noonIsBrasilias: (observed) => {
    const connection = makeConnection(observed)
    const shown = endpoints.filter((endpoint) => noonAt(connection, endpoint, "2025-01-25T12:00:00Z") === brasiliasNoon)
    return shown.toSorted()
  },
  absences: (observed) => {
    const connection = makeConnection(observed)
    return kinds.filter((kind) => isAbsence(connection, kind))
  },
  lists: async (observed) =>
    (await listQueries(observed)).map((query) => `${query.get("inicio")} to ${query.get("fim")}`),
  page: async (observed) => {
    const [query] = await listQueries(observed)
    return `${query?.get("paginacao.paginaAtual")} of ${query?.get("paginacao.itensPorPagina")}`
  },
  emptyList: makeEmptyList,
  deadTokens: async (observed) => {
    const found = await Promise.all(refusals.map((refusal) => isDeadToken(observed, refusal)))
    return refusals.filter((_, index) => found[index]).map((refusal) => refusal.join(" "))
  },
  pauseMs: pauseAfter429,
  webhook: registeredAt,
  returnBody: returnBodyAt,
  cycle: cycleBodyAt,
  recurringNeeds,
  perMinute: (observed) => {
    const connection = makeConnection(observed)
    const counts = Object.entries(groups).map(([name, calls]) => [name, countPassing(connection, calls)] as const)
    return Object.fromEntries(counts.filter(([, count]) => count < maxCalls))
  },
  immediate: (observed) => issuingCalls(observed),
  dueDate: (observed) => issuingCalls(observed, 3),
  change: changingCalls,
  codes: takenCodes,
  codeOfAnother: async (observed) => {
    const brCode = codeAt("O Banco", "bank.example/qr/v2/of-another-charge")
    const charge = await issueAt(observed, undefined, { pixCopiaECola: brCode })
    return charge.brCode === brCode ? "taken" : "refused"
  },
}
