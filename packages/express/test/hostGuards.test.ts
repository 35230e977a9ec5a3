import { pixRouter } from "@pixcharge/express"
import express from "express"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import {
  makeHttpClient,
  immediate,
  post,
  refund,
  simulate,
  actors,
  makeSandbox,
  basicSecret,
} from "@pixcharge/testkit/conformance"

it.each([400, 401, 413, 415, 429])(
  "what a guard of the host refuses with %i stays refused, and moves no money",
  async (status) => {
    await using pix = await makeSandbox()
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
