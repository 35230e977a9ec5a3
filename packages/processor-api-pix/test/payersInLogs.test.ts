import { chargeTxid } from "@pixcharge/core/plain"
import {
  CallbackDelivery,
  ChargeStore,
  CompanyDirectory,
  DirectoryUnavailable,
  PixCharges,
  Reconciler,
  StoreUnavailable,
} from "@pixcharge/core"
import { parseChargeId, parseChargeRequest } from "@pixcharge/core/charges"
import { centsFromReais } from "@pixcharge/core/money"
import { pixLayer } from "@pixcharge/embed"
import { PixHttp } from "@pixcharge/http"
import { apiPix } from "@pixcharge/processor-api-pix"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { makeShiftableClock } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { inspect } from "node:util"
import { describe, expect } from "vitest"
import { noticeAddress } from "../src/notices/noticeAddress.ts"
import { account, company, noticeSecrets } from "./bank/openBank.ts"
import { tellTale } from "./tellTale.ts"

/** Strings that must not appear in a log, span, metric or error. */
const canaries = {
  name: "Canario",
  cpf: "52998224725",
  maskedCpf: "529.982.247-25",
  spacedCpf: "529 982 247 25",
  oddCpf: "529-982-247.25",
  email: "maria@canario.example",
  street: "Rua do Canario",
  postalCode: "50010987",
  token: "canary-token",
  secret: "canary-secret",
} as const
const prose = `Maria Canario das Dores, ${Object.values(canaries).join(", ")}`
const integratorKey = `chave-${canaries.secret}`

const proseError = () =>
  Object.assign(new Error(prose, { cause: { prose, headers: { authorization: `Bearer ${canaries.token}` } } }), {
    name: prose,
    code: prose,
    detail: prose,
    status: prose,
    config: { body: prose },
  })

const json = (status: number, body: unknown) => () => Promise.resolve(new Response(JSON.stringify(body), { status }))

const problem = (status: number) =>
  json(status, {
    type: `https://pix.bcb.gov.br/api/v2/error/${prose}`,
    title: prose,
    detail: prose,
    violacoes: [{ razao: prose, propriedade: prose, valor: prose }],
  })

const standardAnswer = (path: string, init: RequestInit) =>
  typeof init.body === "string"
    ? json(200, {
        txid: path.split("/").at(-1),
        status: "ATIVA",
        calendario: { criacao: new Date().toISOString(), expiracao: 600 },
        valor: JSON.parse(init.body).valor,
        chave: company.pixKey,
        location: "pix.example.com/qr/v2/1",
      })()
    : json(404, {})()

type Answer = (path: string, init: RequestInit) => Promise<Response>

const banks: Readonly<Record<string, Answer>> = {
  "refuses in prose (400)": problem(400),
  "refuses permission in prose (403)": problem(403),
  "refuses with its own fields (422)": json(422, { nome: prose, mensagem: prose }),
  "fails in prose (500)": problem(500),
  "is called by a fetch that throws an error with prose": () => Promise.reject(proseError()),
  "is called by a fetch that throws a string": () => Promise.reject(prose),
  "returns an unreadable answer": json(200, { txid: prose, pix: [{ [prose]: prose, valor: prose }], [prose]: prose }),
  "lists unreadable payments": json(200, {
    txid: prose,
    status: "CONCLUIDA",
    valor: { original: "1.00" },
    pix: [
      { endToEndId: prose, valor: prose, horario: prose, [prose]: prose },
      {
        endToEndId: `E${"1".repeat(31)}`,
        valor: "1.00",
        horario: "2026-11-20T15:00:00Z",
        devolucoes: [{ id: prose, valor: prose, status: prose }, prose],
      },
      prose,
    ],
  }),
  "answers without JSON": () => Promise.resolve(new Response(prose)),
  "returns another charge and a payment with another txid": json(200, {
    txid: prose,
    status: prose,
    valor: { original: "1.00" },
    pix: [{ endToEndId: prose, txid: prose, valor: "1.00", horario: "2026-11-20T15:00:00Z", infoPagador: prose }],
  }),
}

const failing = <S extends object>(service: S, isOn: () => boolean, failure: () => Effect.Effect<never, unknown>): S =>
  new Proxy(service, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      return typeof method !== "function" ? method : (...args: Array<unknown>) => (isOn() ? failure() : method(...args))
    },
  })

const openHost = Effect.gen(function* () {
  const clock = makeShiftableClock()
  let answer: Answer = standardAnswer
  const broken = { store: false, directory: false, dies: false }
  const fail = (make: () => unknown) => () => (broken.dies ? Effect.die(proseError()) : Effect.fail(make()))
  const { layer, everything, logged, traced } = tellTale()
  const bank = apiPix({
    noticeSecrets,
    companies: {
      [company.cnpj]: {
        baseUrl: "https://bank.invalid",
        clientId: account.clientId,
        clientSecret: canaries.secret,
        fetch: (url, init) =>
          url.endsWith("/oauth/token")
            ? json(200, { access_token: canaries.token, expires_in: 3_600 })()
            : answer(new URL(url).pathname, init),
      },
    },
  })
  const store = Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) =>
      Context.add(
        context,
        ChargeStore,
        failing(
          Context.get(context, ChargeStore),
          () => broken.store,
          fail(() => new StoreUnavailable({ operation: "find", cause: proseError() })),
        ),
      ),
    ),
  )
  const { cnpj, name, city, pixKey, graceDays } = company
  const directory = Layer.effectContext(
    Effect.map(
      Layer.build(
        memoryDirectory({
          companies: [
            {
              cnpj,
              name,
              city,
              pixKey,
              graceDays,
              integratorKey,
              callback: { url: "https://shop.invalid/events", secrets: [`whsec_${btoa("x".repeat(32))}`] },
            },
          ],
        }),
      ),
      (context) =>
        Context.add(
          context,
          CompanyDirectory,
          failing(
            Context.get(context, CompanyDirectory),
            () => broken.directory,
            fail(() => new DirectoryUnavailable({ operation: "find", cause: proseError() })),
          ),
        ),
    ),
  )
  const services = pixLayer({
    environment: "production",
    store: store as ReturnType<typeof memoryStore>,
    directory: directory as ReturnType<typeof memoryDirectory>,
    processor: bank.processor,
    notices: bank.notices,
    callbacks: Layer.succeed(CallbackDelivery, { deliver: () => Effect.die(proseError()) }),
    onEvent: () => Promise.reject(proseError()),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
  })
  const context = yield* Layer.build(
    Layer.provideMerge(services, Layer.mergeAll(layer, Layer.succeed(Clock.Clock, clock))),
  )
  const http = Context.get(context, PixHttp)
  const call = (method: string, url: string, body?: unknown, authorization?: string) =>
    http
      .respond({
        method,
        url,
        fullUrl: url,
        header: (header) =>
          header === "authorization" ? authorization : header === "content-type" ? "application/json" : undefined,
        body: async () => ({ _tag: "Text", text: JSON.stringify(body) }),
        signal: new AbortController().signal,
      })
      ?.pipe(Effect.provide(context)) ?? Effect.die("expected a path of ours")
  const secret = encodeURIComponent(Buffer.from(`${cnpj}|${integratorKey}`).toString("base64"))
  const { data } = JSON.parse(String((yield* call("GET", `/api/token/${secret}`)).body))
  return {
    context,
    clock,
    broken,
    logged,
    traced,
    call: (method: string, url: string, body?: unknown) => call(method, url, body, `Bearer ${data}`),
    setBank: (next: Answer) => {
      answer = next
    },
    everything: Effect.provide(everything, context),
  }
})

const chargeBody = (idFaturaPag: string) => ({
  formaPagamento: { tpTransacao: 11, idFaturaPag, modPagamento: 18, valorPagamento: 19.9 },
  cliente: { xNome: "Maria Canario", documento: canaries.cpf },
})

const issue = Effect.fnUntraced(function* ({ call }: Effect.Success<typeof openHost>) {
  const id = randomUUID()
  expect((yield* call("POST", "/api/pix", chargeBody(id))).status).toBe(200)
  return id
})

/** Makes each kind of call that reaches the host's bank, store and directory. Returns the errors as text. */
const useHost = Effect.fnUntraced(function* ({ context, clock, call }: Effect.Success<typeof openHost>, known: string) {
  const chargeId = Result.getOrThrow(parseChargeId(known))
  const [issued, e2e] = [randomUUID(), `E${"1".repeat(31)}`]
  yield* call("POST", "/api/pix", chargeBody(issued))
  yield* call("POST", "/api/pix", { formaPagamento: prose, cliente: prose })
  for (const method of ["GET", "DELETE"]) yield* call(method, `/api/pix/${known}`)
  yield* call("POST", `/webhooks/api-pix${noticeAddress(noticeSecrets, company.cnpj)}/pix`, {
    pix: [
      { endToEndId: e2e, txid: chargeTxid(company.cnpj, known) },
      { endToEndId: prose, txid: prose, pagador: prose },
    ],
  })
  clock.shiftUnsafe({ businessMs: 25 * 3_600_000, monotonicMs: 25 * 3_600_000 })
  const reconciler = Context.get(context, Reconciler)
  yield* Effect.exit(reconciler.round.pipe(Effect.provide(context)))
  const charges = Context.get(context, PixCharges)
  const request = Result.getOrThrow(
    parseChargeRequest({
      id: randomUUID(),
      amountCents: 1990,
      dueDate: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
      payer: {
        name: canaries.name,
        taxId: canaries.cpf,
        email: canaries.email,
        address: { street: canaries.street, city: "Recife", state: "PE", postalCode: canaries.postalCode },
      },
    }),
  )
  const ends = yield* Effect.all([
    Effect.exit(charges.issue(company.cnpj, request)),
    Effect.exit(charges.refund(company.cnpj, chargeId)),
    Effect.exit(charges.cancel(company.cnpj, chargeId)),
  ]).pipe(Effect.provide(context))
  return inspect(ends, { depth: 30 })
})

const expectNoCanary = (text: string) => {
  for (const canary of Object.values(canaries)) {
    const index = text.indexOf(canary)
    expect(index < 0 ? "" : text.slice(Math.max(0, index - 300), index + 100), canary).toBe("")
  }
}

describe("logs, spans, metrics and errors", () => {
  for (const [why, bank] of Object.entries(banks)) {
    it.live(`contain no payer's data and no secret while the bank ${why}`, () =>
      Effect.gen(function* () {
        const host = yield* openHost
        const known = yield* issue(host)
        host.setBank(bank)
        const errors = yield* useHost(host, known)
        expect(host.logged.length).toBeGreaterThan(3)
        expect(host.traced.join("\n")).toContain("ApiPix.")
        expectNoCanary(yield* host.everything)
        expectNoCanary(errors)
      }),
    )
  }

  it.live("contain no payer's data and no secret while callbacks fail and the host's own function throws", () =>
    Effect.gen(function* () {
      const host = yield* openHost
      const known = yield* issue(host)
      const txid = chargeTxid(company.cnpj, known)
      yield* Context.get(host.context, PixCharges)
        .confirmPayment({
          issuer: company.cnpj,
          endToEndId: `E${"1".repeat(31)}`,
          txid,
          amountCents: Result.getOrThrow(centsFromReais(19.9)),
          paidAt: Date.now(),
        })
        .pipe(Effect.provide(host.context))
      const delivered = () => host.traced.filter((span) => span.includes("pix.event.deliver"))
      yield* Effect.promise(() => expect.poll(() => delivered().length).toBe(2))
      expect(host.logged.join("\n")).toContain("A callback delivery broke")
      expectNoCanary(yield* host.everything)
    }),
  )

  for (const part of ["store", "directory"] as const) {
    for (const dies of [false, true]) {
      it.live(`contain no payer's data and no secret while the ${part} ${dies ? "throws" : "fails"}`, () =>
        Effect.gen(function* () {
          const host = yield* openHost
          const known = yield* issue(host)
          host.broken.dies = dies
          host.broken[part] = true
          if (!dies) {
            const at = `/webhooks/api-pix${noticeAddress(noticeSecrets, company.cnpj)}/pix`
            const { status, headers } = yield* host.call("POST", at, {
              pix: [{ endToEndId: "E".padEnd(32, "1"), txid: chargeTxid(company.cnpj, known) }],
            })
            expect([status, headers["retry-after"]]).toEqual([503, "30"])
          }
          if (!dies && part === "store") expect(host.logged.join()).toContain("A notice could not be looked up")
          const errors = yield* useHost(host, known)
          expect(host.logged.length).toBeGreaterThan(3)
          expectNoCanary(yield* host.everything)
          // Errors that a host's own code throws are the host's responsibility.
          if (!dies) expectNoCanary(errors)
        }),
      )
    }
  }
})
