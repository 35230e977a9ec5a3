import type { Reply } from "@pixcharge/core"
import { pixRouter } from "@pixcharge/express"
import type { Responder } from "@pixcharge/http"
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import {
  type Call,
  makeHttpClient,
  mountServer,
  immediate,
  post,
  refund,
  simulate,
  actors,
  makeSandbox,
  basicSecret,
} from "@pixcharge/adapter-tests/conformance"

it.each([400, 401, 413, 415, 429])(
  "doesn't refund for a request that a host's guard refuses with %i",
  async (status) => {
    await using pix = makeSandbox()
    let isClosed = false
    const app = express()
    app.use((_request, _response, next) => next(isClosed ? Object.assign(new Error("closed"), { status }) : undefined))
    app.use(pixRouter(pix))
    const server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const client = makeHttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const token = await client.call({ method: "GET", path: `/api/token/${basicSecret(actors.shop)}` })
    const headers = { authorization: `Bearer ${token.json.data}` }
    const formaPagamento = immediate()
    await client.call({ ...post({ formaPagamento }), headers })
    await client.call({ ...simulate(formaPagamento.idFaturaPag), headers })

    isClosed = true
    const answer = await client.call({ ...refund(formaPagamento.idFaturaPag), headers })
    expect(answer.status).toBe(status)
    expect((await pix.find(actors.shop.cnpj, formaPagamento.idFaturaPag))._tag).toBe("Paid")
    client.close()
    server.close()
  },
)

it("doesn't refund for an unreadable body, for which Express skips the host's guard", async () => {
  await using pix = makeSandbox()
  let isClosed = false
  const app = express()
  app.use(express.json())
  app.use((_request, response, next) => void (isClosed ? response.status(401).end() : next()))
  app.use(pixRouter(pix))
  const server = await mountServer(createServer(app), "", true)
  const client = makeHttpClient(server.baseUrl)
  const token = await client.call({ method: "GET", path: `/api/token/${basicSecret(actors.shop)}` })
  const headers = { authorization: `Bearer ${token.json.data}`, "content-type": "application/json" }
  const formaPagamento = immediate()
  await client.call({ ...post({ formaPagamento }), headers })
  await client.call({ ...simulate(formaPagamento.idFaturaPag), headers })

  isClosed = true
  const answer = await client.call({ ...refund(formaPagamento.idFaturaPag), headers, body: "{" })
  expect(answer.status).toBe(400)
  expect((await pix.find(actors.shop.cnpj, formaPagamento.idFaturaPag))._tag).toBe("Paid")
  client.close()
  await server.close()
})

const callApp = async (responder: Responder, call: Call, mount: (app: Express, router: RequestHandlers) => unknown) => {
  const app = express()
  mount(app, pixRouter(responder))
  const server = await mountServer(createServer(app), "", true)
  const client = makeHttpClient(server.baseUrl)
  const answer = await client.call(call)
  client.close()
  await server.close()
  return answer
}

type RequestHandlers = ReturnType<typeof pixRouter>

const refuse =
  (error: Error): RequestHandler =>
  (_request, _response, next) =>
    next(error)

const reply: Reply = { status: 200, headers: { "content-type": "text/plain" }, body: "pago" }
const get: Call = { method: "GET", path: "/" }

describe("a host around the routes", () => {
  it("gets no second answer and no error if its time-out has begun to answer", async () => {
    let answerLate = (_: Reply): void => undefined
    const respond = () => new Promise<Reply>((resolve) => (answerLate = resolve))
    const errors: Array<unknown> = []
    const answer = await callApp({ respond }, get, (app, router) => {
      app.use((_, response, next) => {
        next()
        response.status(504).write("tar")
        answerLate(reply)
        setImmediate(() => response.end("de"))
      })
      const handler: ErrorRequestHandler = (error, _request, _response, _next) => void errors.push(error)
      app.use(router, handler)
    })
    expect(answer).toMatchObject({ status: 504, text: "tarde" })
    expect(errors).toEqual([])
  })

  it("gets its error handler called if an answer fails", async () => {
    const respond = () => Promise.reject(new Error("encerrado"))
    const answer = await callApp({ respond }, get, (app, router) => {
      const handler: ErrorRequestHandler = (error: Error, _request, response, _next) =>
        void response.status(500).send(error.message)
      app.use(router, handler)
    })
    expect(answer).toMatchObject({ status: 500, text: "encerrado" })
  })

  it.each([
    ["entity.parse.failed", "Unreadable"],
    ["request.aborted", "Unreadable"],
    ["request.size.invalid", "Unreadable"],
    ["entity.too.large", "TooLarge"],
    ["encoding.unsupported", "Unsupported"],
    ["charset.unsupported", "Unsupported"],
  ])("passes on a body that its parser refused with %s as %s", async (type, tag) => {
    const respond: Responder["respond"] = async (exchange) => ({ ...reply, body: (await exchange.body(1))._tag })
    const refusing = (app: Express, router: RequestHandlers) =>
      app.use(refuse(Object.assign(new Error("no"), { type })), router)
    expect((await callApp({ respond }, get, refusing)).text).toBe(tag)
  })

  it.each([
    [new Error("no"), 500],
    [Object.assign(new Error("no"), { type: "stream.encoding.set", status: 418 }), 418],
  ])("handles its error %s without the routes", async (error, status) => {
    const answer = await callApp({ respond: async () => reply }, get, (app, router) => app.use(refuse(error), router))
    expect(answer.status).toBe(status)
  })

  it.each([
    [10, false, undefined],
    [300_000, false, "close"],
    [300_000, true, "close"],
  ])(
    "closes the connection only if much of the body is unread: %i bytes, chunked: %j",
    async (bytes, chunked, connection) => {
      const respond: Responder["respond"] = async (exchange) => {
        await exchange.body(1_000)
        return reply
      }
      const call: Call = { method: "POST", path: "/", body: "x".repeat(bytes), chunked }
      const answer = await callApp({ respond }, call, (app, router) => app.use(router))
      expect(answer).toMatchObject({ status: 200, text: "pago" })
      expect(answer.headers["connection"] === "close" ? "close" : undefined).toBe(connection)
    },
  )

  it("aborts the signal of a caller that left before the signal was read", async () => {
    let isAborted: Promise<boolean> = Promise.resolve(false)
    const app = express()
    app.use((request, response, next) => {
      const closed = once(response, "close")
      const [read] = pixRouter({
        respond: (exchange) => {
          isAborted = closed.then(() => exchange.signal.aborted)
          return isAborted.then(() => reply)
        },
      })
      read(request, response, next)
      request.socket.destroy()
    })
    const server = await mountServer(createServer(app), "", true)
    const client = makeHttpClient(server.baseUrl)
    await expect(client.call(get)).rejects.toThrow()
    expect(await isAborted).toBe(true)
    client.close()
    await server.close()
  })
})
