import {
  DirectoryUnavailable,
  ProcessorRejected,
  ProcessorUnavailable,
  StoreUnavailable,
  type ReceivedPayment,
} from "@pixcharge/core"
import type { Call } from "@pixcharge/adapter-tests/conformance"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, describe, expect, it } from "vitest"
import { type RouteName, routes } from "../src/wire/routes.ts"
import { exampleIds, requestExamples } from "../src/contract/apiExamples.ts"
import { type ExampleWorld, openExampleWorld, shop, withAbatement, withoutWallet } from "./exampleWorld.ts"
import { answersIn, checkAnswer, findOperation } from "./openApiSchemas.ts"

const { imediata, comVencimento } = requestExamples.issue as Readonly<Record<string, object>>

/** A call of each route with the charge and bodies of the examples. */
const calls: Readonly<Record<RouteName, Call>> = {
  token: { method: "GET", path: `/api/token/${exampleIds.segredoBase64}` },
  tokenByPost: { method: "POST", path: "/api/token", body: requestExamples.tokenByPost?.["credenciais"] },
  issue: { method: "POST", path: "/api/pix", body: imediata },
  status: { method: "GET", path: `/api/pix/${exampleIds.idFaturaPag}` },
  simulate: { method: "POST", path: `/api/pix/simular-pagamento/${exampleIds.idFaturaPag}` },
  refund: { method: "DELETE", path: `/api/pix/${exampleIds.idFaturaPag}` },
}

/** Causes an answer. Returns a call if another call than the route's in `calls` gets the answer. */
type Preparation = (world: ExampleWorld, name: RouteName) => Promise<Call | void> | Call | void

const issued = async (world: ExampleWorld, over: object = {}) => {
  const { formaPagamento } = imediata as { readonly formaPagamento: object }
  const body = { formaPagamento: { ...formaPagamento, ...over } }
  expect((await world.call(await world.as(shop, { ...calls.issue, body }))).status).toBe(200)
}

const paid = async (world: ExampleWorld) => {
  await issued(world)
  expect((await world.call(await world.as(shop, calls.simulate))).status).toBe(200)
}

const refunding = async (world: ExampleWorld) => {
  await paid(world)
  world.faults.processor = () => ({
    refund: () => Effect.succeed({ _tag: "Processing" }),
    lookupRefund: () => Effect.succeed({ _tag: "Processing" }),
  })
  expect((await world.call(await world.as(shop, calls.refund))).status).toBe(202)
}

const refunded = async (world: ExampleWorld) => {
  await paid(world)
  expect((await world.call(await world.as(shop, calls.refund))).status).toBe(200)
}

const cancelled = async (world: ExampleWorld) => {
  await issued(world)
  await world.pix.cancel(shop.cnpj, exampleIds.idFaturaPag)
}

const expired = async (world: ExampleWorld) => {
  await issued(world)
  await world.advance("11 minutes")
}

/** A paid charge with a part that was refunded in the bank's portal, and then reconciled. */
const partlyReturned = async (world: ExampleWorld) => {
  await paid(world)
  const charge = await world.pix.find(shop.cnpj, exampleIds.idFaturaPag)
  if (charge._tag !== "Paid") throw new Error("expected a paid charge")
  const { endToEndId, paidAt, amountCents } = charge.payment
  const payment: ReceivedPayment = {
    issuer: charge.issuer,
    txid: charge.txid,
    endToEndId,
    amountCents,
    paidAt,
    returns: [
      {
        issuer: charge.issuer,
        endToEndId,
        id: "portal",
        amountCents: 1 as typeof amountCents,
        kind: "refund",
        returnedAt: paidAt,
      },
    ],
  }
  world.faults.processor = () => ({ payments: () => Effect.succeed({ items: [payment] }) })
  await world.pix.reconcile(shop.cnpj, { from: paidAt - 1, until: paidAt + 1 })
}

const unanswered = () => Effect.fail(new ProcessorUnavailable({ operation: "test", cause: "no answer" }))

const wrongSecret = (name: RouteName): Call =>
  name === "token"
    ? { ...calls.token, path: `/api/token/${btoa(`${shop.cnpj}|outra`)}` }
    : { ...calls.tokenByPost, body: { cnpj: shop.cnpj, chave: "outra" } }

/** How to cause each failure, by its code. */
const failures: Readonly<Record<string, Preparation>> = {
  "json-invalido": (_, name) => ({ ...calls[name], body: "{" }),
  "dados-invalidos": () => ({
    ...calls.issue,
    body: { formaPagamento: { ...(imediata as { formaPagamento: object }).formaPagamento, valorPagamento: 1.005 } },
  }),
  "vencimento-fora-do-prazo": () => {
    const { formaPagamento } = comVencimento as { readonly formaPagamento: object }
    return { ...calls.issue, body: { formaPagamento: { ...formaPagamento, dataVencimento: "2026-11-19" } } }
  },
  "valor-menor-que-reducoes": (world) => world.as(withAbatement, { ...calls.issue, body: comVencimento }),
  "id-invalido": (_, name) => ({ ...calls[name], path: calls[name].path.replace(/[^/]+$/, "123") }),
  "credenciais-invalidas": (_, name) => wrongSecret(name),
  "token-invalido": (_, name) => ({ ...calls[name], headers: { authorization: "Bearer x" } }),
  "empresa-nao-habilitada": (world) => world.as(withoutWallet, calls.issue),
  "empresa-nao-cadastrada": async (world) => {
    const call = await world.as(shop, calls.issue)
    let lookUps = 0
    // The company is registered when it authenticates, but not when it issues.
    world.faults.directory = ({ find }) => ({
      find: (cnpj) => (lookUps++ === 0 ? find(cnpj) : Effect.succeed(undefined)),
    })
    return call
  },
  "cobranca-nao-encontrada": () => undefined,
  "metodo-nao-permitido": (_, name) => ({ ...calls[name], method: "PATCH" }),
  "cobranca-divergente": (world) => issued(world, { valorPagamento: 20 }),
  "cobranca-expirada": expired,
  "cobranca-cancelada": cancelled,
  "estorno-em-andamento": refunding,
  "cobranca-estornada": refunded,
  "cobranca-nao-paga": (world) => issued(world),
  "cobranca-devolvida-em-parte": partlyReturned,
  "prazo-de-estorno-encerrado": async (world) => {
    await paid(world)
    await world.advance("91 days")
  },
  "estorno-nao-realizado": async (world) => {
    await paid(world)
    const rejected = () => Effect.succeed({ _tag: "Rejected" as const, reason: "no funds" })
    world.faults.processor = () => ({ refund: rejected, lookupRefund: rejected })
  },
  "cobranca-pendente": (world) => issued(world),
  "corpo-grande-demais": (_, name) => ({ ...calls[name], body: `"${"x".repeat(17_000)}"` }),
  "tipo-de-conteudo-invalido": (_, name) => ({ ...calls[name], headers: { "content-type": "text/plain" } }),
  "simulacao-recusada": (world) => issued(world, { valorPagamento: 10.91 }),
  "limite-excedido": async (world, name) => {
    for (let failed = 0; failed < 20; failed++) await world.call(wrongSecret(name))
    return wrongSecret(name)
  },
  "erro-interno": async (world, name) => {
    const call = name.startsWith("token") ? calls[name] : await world.as(shop, calls[name])
    world.faults.directory = () => ({ find: () => Effect.die("broken"), verifyKey: () => Effect.die("broken") })
    return call
  },
  "processador-recusou": (world) => {
    const rejected = new ProcessorRejected({ operation: "register", reason: Redacted.make("no") })
    world.faults.processor = () => ({ register: () => Effect.fail(rejected) })
  },
  "processador-indisponivel": async (world, name) => {
    if (name === "simulate") return issued(world, { valorPagamento: 10.92 })
    world.faults.processor = () => ({ register: unanswered })
  },
  "servico-indisponivel": async (world, name) => {
    const call = name.startsWith("token") ? calls[name] : await world.as(shop, calls[name])
    const directory = () => Effect.fail(new DirectoryUnavailable({ operation: "find", cause: "down" }))
    const store = () => Effect.fail(new StoreUnavailable({ operation: "find", cause: "down" }))
    if (name.startsWith("token")) world.faults.directory = () => ({ find: directory, verifyKey: directory })
    else world.faults.store = () => ({ find: store, insert: store })
    return call
  },
}

/** How to cause each success, by its example's name. */
const successes: Readonly<Record<string, Preparation>> = {
  token: () => undefined,
  imediata: () => undefined,
  comVencimento: async (world) => {
    await issued(world)
    return { ...calls.issue, body: comVencimento }
  },
  paga: paid,
  simulado: (world) => issued(world),
  estornado: paid,
  emAndamento: refunding,
}

const examples = (Object.keys(routes) as Array<RouteName>).flatMap((name) =>
  answersIn(name).map((answer) => ({ ...answer, route: name, example: answer.name })),
)

/** Replaces tokens, because only their form is always the same. */
const withoutToken = (text: string): string => text.replace(/"eyJ[\w.-]+"/, '"<token>"')

describe("the examples of the OpenAPI document", () => {
  let world: ExampleWorld | undefined

  afterEach(() => world?.close())

  it.each(examples)(
    "$route $status $example equals the service's answer",
    async ({ route, status, example, value }) => {
      world = await openExampleWorld(example === "rota-inexistente" ? "production" : "sandbox")
      const prepare = example === "rota-inexistente" ? () => undefined : (successes[example] ?? failures[example])
      expect(prepare, `expected an entry that causes ${example}`).toBeDefined()
      const prepared = (await prepare?.(world, route)) ?? calls[route]
      const isAnonymous = route.startsWith("token") || prepared.headers?.["authorization"] !== undefined
      const answer = await world.call(isAnonymous ? prepared : await world.as(shop, prepared))

      expect(JSON.parse(withoutToken(answer.text))).toEqual(JSON.parse(withoutToken(JSON.stringify(value))))
      expect(answer.status).toBe(status)
      expect(checkAnswer(route, answer.status, answer.json)).toEqual([])
      if (status >= 400) expect(answer.headers["pix-erro"]).toBe(example)
      for (const name of Object.keys(findOperation(route).responses[status]?.headers ?? {})) {
        expect(answer.headers[name.toLowerCase()], name).toBeDefined()
      }
    },
  )
})
