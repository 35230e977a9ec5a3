import {
  ChargeNotFound,
  CompanyDirectory,
  type Exchange,
  PaymentUnmatched,
  PixCharges,
  RevokedTokens,
  StoreUnavailable,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { PixHttp } from "../src/PixHttp.ts"
import { Tokens } from "../src/tokens/Tokens.ts"

const cnpj = "12345678000195" as Cnpj
const canary = "canario-que-nao-pode-vazar"
const id = "3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"

const broken = () => Effect.die(new Error("directory broke"))

/** Starts a service with this `find` of charges, and captures its logs and spans. */
const start = async (find: PixCharges["Service"]["find"], directoryBreaks = false) => {
  const seen: Array<unknown> = []
  const charges = { find } as unknown as PixCharges["Service"]
  const findCompany = () =>
    Effect.succeed({
      company: { cnpj } as never,
      credential: { holder: cnpj, key: { _tag: "Plain" as const, key: Redacted.make(canary) } },
    })
  const inDirectory = directoryBreaks ? broken : findCompany
  const services = PixHttp.layer().pipe(
    Layer.provideMerge(Tokens.layer({ keys: [{ kid: "1", secret: "x".repeat(32) }], environment: "production" })),
    Layer.provideMerge(Layer.succeed(PixCharges, charges)),
    Layer.provide(Layer.succeed(RevokedTokens, { revoke: () => Effect.void, list: () => Effect.succeed([]) })),
    Layer.provideMerge(
      Layer.succeed(CompanyDirectory, {
        find: inDirectory,
        verifyKey: () => Effect.map(inDirectory(), (found) => found?.credential),
        byPixKey: () => Effect.succeed(undefined),
      }),
    ),
    Layer.provideMerge(
      Logger.layer([Logger.make((entry) => void seen.push([entry.logLevel, entry.message], entry.cause))]),
    ),
    Layer.provideMerge(
      Layer.succeed(
        Tracer.Tracer,
        Tracer.make({
          span: (options) => {
            seen.push(options)
            return new Tracer.NativeSpan(options)
          },
        }),
      ),
    ),
  )
  const context = await Effect.runPromise(Effect.scoped(Layer.build(services)))
  const call = (method: string, url: string, headers: Record<string, string> = {}) => {
    const exchange: Exchange = {
      method,
      url,
      fullUrl: url,
      header: (name) => headers[name],
      body: async () => ({ _tag: "Text", text: "" }),
      signal: new AbortController().signal,
    }
    const reply = Context.get(context, PixHttp).respond(exchange)
    if (reply === undefined) throw new Error(`expected ${method} ${url} to be one of our routes`)
    return Effect.runPromiseWith(context)(reply)
  }
  return { call, seen }
}

const tokenPath = `/api/token/${encodeURIComponent(Buffer.from(`${cnpj}|${canary}`).toString("base64"))}`
const issueToken = async (call: Awaited<ReturnType<typeof start>>["call"]): Promise<string> =>
  JSON.parse(String((await call("GET", tokenPath)).body)).data

describe("unexpected failures", () => {
  it("answers a defect with 500, and logs its place in the code without its message", async () => {
    const { call, seen } = await start(() => Effect.die(new Error("the disk is on fire")))
    const reply = await call("GET", `/api/pix/${id}`, { authorization: `Bearer ${await issueToken(call)}` })
    expect(reply.status).toBe(500)
    expect(reply.headers["pix-erro"]).toBe("erro-interno")
    expect(JSON.parse(String(reply.body))).toEqual({ sucesso: false, errors: "Erro interno." })
    const place = expect.stringMatching(/defects\.test\.ts:\d+:\d+$/)
    const facts = { error: "Error", at: expect.arrayContaining([place]) }
    expect(seen).toContainEqual(["Error", ["A request ended in a defect: status", facts, expect.anything()]])
    expect(inspect(seen, { depth: 20 })).not.toContain("the disk is on fire")
  })

  it("answers an unreachable store with 503 and Retry-After, and logs the failed call", async () => {
    const { call, seen } = await start(() => Effect.fail(new StoreUnavailable({ operation: "find", cause: "down" })))
    const reply = await call("GET", `/api/pix/${id}`, { authorization: `Bearer ${await issueToken(call)}` })
    expect(reply.status).toBe(503)
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0)
    expect(reply.body).not.toContain("down")
    expect(inspect(seen, { depth: 20 })).not.toContain("down")
    const facts = { error: "StoreUnavailable", operation: "find", cause: { error: "text" } }
    expect(seen).toContainEqual(["Warn", ["A request could not be carried out: status", facts, expect.anything()]])
  })

  it("answers an error that no route expects with 500, and logs it as an error", async () => {
    const { call, seen } = await start((issuer, charge) =>
      Effect.fail(new PaymentUnmatched({ issuer, endToEndId: charge }) as never),
    )
    const reply = await call("GET", `/api/pix/${id}`, { authorization: `Bearer ${await issueToken(call)}` })
    expect(reply.status).toBe(500)
    expect(seen).toContainEqual([
      "Error",
      ["A request could not be carried out: status", { error: "PaymentUnmatched", issuer: cnpj }, expect.anything()],
    ])
  })

  it("doesn't log a failure that the caller caused", async () => {
    const { call, seen } = await start((issuer, charge) => Effect.fail(new ChargeNotFound({ issuer, id: charge })))
    const reply = await call("GET", `/api/pix/${id}`, { authorization: `Bearer ${await issueToken(call)}` })
    expect(reply.status).toBe(404)
    expect(inspect(seen, { depth: 20 })).not.toContain("could not be carried out")
  })

  it("keeps the token route's secret out of logs, spans, errors and answers", async () => {
    const { call, seen } = await start(() => Effect.never, true)
    const reply = await call("GET", tokenPath)
    expect(reply.status).toBe(500)
    const everything = inspect([seen, reply], { depth: 20, maxStringLength: null, maxArrayLength: null })
    expect(everything).toContain("A request ended in a defect: token")
    for (const secret of [canary, Buffer.from(canary).toString("base64").slice(0, 16), tokenPath]) {
      expect(everything).not.toContain(secret)
    }
  })

  it("keeps the secret of a good or refused token request out of logs", async () => {
    const { call, seen } = await start(() => Effect.never)
    expect((await call("GET", tokenPath)).status).toBe(200)
    expect((await call("GET", `${tokenPath}x`)).status).toBe(401)
    expect(inspect(seen, { depth: 20 })).not.toContain(canary)
  })

  it("answers 404 to simulations in production", async () => {
    const { call } = await start(() => Effect.never)
    for (const url of [`/api/pix/simular-pagamento/${id}`, "/api/pix/simular-pagamento/x"]) {
      const reply = await call("POST", url)
      expect({ status: reply.status, code: reply.headers["pix-erro"] }).toEqual({
        status: 404,
        code: "rota-inexistente",
      })
    }
  })
})
