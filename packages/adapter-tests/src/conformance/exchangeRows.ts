import { METHODS } from "node:http"
import { expect, it } from "vitest"
import { expectFailure, expectSuccess } from "./expectations.ts"
import type { Conformance } from "./Conformance.ts"
import { makeHttpClient } from "./HttpClient.ts"
import { inChunks } from "../fixtures/inChunks.ts"
import { rawCall } from "./rawCall.ts"
import { immediate, payer, post, simulate } from "./requests.ts"
import { actors, basicSecret } from "./World.ts"

const { shop } = actors
const id = "3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"
const limitBytes = 16 * 1_024
const big = JSON.stringify({ formaPagamento: immediate(), lixo: "x".repeat(17 * 1_024) })

/** A charge's body with this number of bytes, and fewer characters. */
const chargeOfBytes = (bytes: number): string => {
  const padded = (padding: string) => JSON.stringify({ formaPagamento: immediate(), lixo: padding })
  const missing = bytes - Buffer.byteLength(padded(""))
  return padded("é".repeat(Math.floor(missing / 2)) + "x".repeat(missing % 2))
}

/** Requests that fail before any rule of charges applies (decisions 16, 29, 36). */
export const exchangeRows = (world: () => Conformance): void => {
  it.each([
    ["broken JSON", "{", 400, "json-invalido"],
    ["an empty body", "", 400, "json-invalido"],
    ["JSON that isn't an object", "[]", 400, "dados-invalidos"],
    ["more than 16 KiB", big, 413, "corpo-grande-demais"],
    ["far more than 16 KiB", `"${"x".repeat(300 * 1_024)}"`, 413, "corpo-grande-demais"],
  ])("refuses %s in the error shape", async (_, body, expected, code) => {
    expectFailure(await world().callAs(shop, post(body)), expected, code)
  })

  // A host's parser can refuse or change these bodies first: body-parser refuses `null`, text readers replace bytes.
  it.each([
    ["null", "null"],
    ["bytes that aren't UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])("answers 400 to %s", async (_, body) => {
    const answer = await world().callAs(shop, post(body))
    expect(answer.headers["pix-erro"]).toMatch(/^(json|dados)-invalidos?$/)
    expectFailure(answer, 400, String(answer.headers["pix-erro"]))
  })

  it("refuses a body of undeclared length once it exceeds 16 KiB", async () => {
    expectFailure(await world().callAs(shop, post(big, { chunked: true })), 413, "corpo-grande-demais")
  })

  it.each([
    ["declared", false],
    ["undeclared", true],
  ])("reads a body of 16 KiB of %s length, and refuses one byte more", async (_, chunked) => {
    const largest = await world().callAs(shop, post(chargeOfBytes(limitBytes), { chunked }))
    if ((world().mounted.hostLimitBytes ?? limitBytes) < limitBytes) expect(largest.status).toBe(413)
    else expectSuccess(largest)
    const larger = await world().callAs(shop, post(chargeOfBytes(limitBytes + 1), { chunked }))
    expectFailure(larger, 413, "corpo-grande-demais")
  })

  it.each([false, true])("completely reads a body sent in two pieces, chunked: %j", async (chunked) => {
    const body = JSON.stringify({ formaPagamento: immediate(), cliente: { ...payer, xNome: "Inês" } })
    const splitAt = Buffer.from(body).indexOf("ê") + 1
    expectSuccess(await world().callAs(shop, post(body, { chunked, splitAt })))
  })

  const postPieces = (bytes: number, size: number) => {
    const { baseUrl } = world().mounted
    const headers = {
      authorization: `Bearer ${world().tokenFor(shop)}`,
      "content-type": "application/json",
      "transfer-encoding": "chunked",
    }
    const target = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/api/pix`
    return rawCall(baseUrl, `POST ${target}`, headers, inChunks(chargeOfBytes(bytes), size))
  }

  it.each([
    [250, 1],
    [900, 4],
    [limitBytes, 64],
    [limitBytes, 536],
  ])("completely reads a body of %i bytes sent in pieces of %i", async (bytes, size) => {
    const answer = await postPieces(bytes, size)
    if (bytes > (world().mounted.hostLimitBytes ?? limitBytes)) expect(answer.status).toBe(413)
    else expectSuccess(answer)
  })

  it.each([
    [1_000, 1],
    [4_000, 10],
    [15_000, 30],
  ])("refuses a body of %i bytes sent in pieces of %i unless the host reads the body first", async (bytes, size) => {
    const { hostLimitBytes = limitBytes, parsesJson = false, readsBodies = false } = world().mounted
    const answer = await postPieces(bytes, size)
    if ((parsesJson || readsBodies) && bytes <= hostLimitBytes) return expectSuccess(answer)
    return expectFailure(answer, 413, "corpo-grande-demais")
  })

  it.each([
    ["declared", false, {}],
    ["undeclared", true, {}],
    ["undeclared", true, { authorization: "Bearer x" }],
  ])("answers the caller's next call after refusing 300 KiB of %s length, chunked: %j, %j", async (...row) => {
    const [, chunked, over] = row
    const client = makeHttpClient(world().mounted.baseUrl)
    const headers = { authorization: `Bearer ${world().tokenFor(shop)}` }
    const refused = await client.call(
      post(`"${"x".repeat(300 * 1_024)}"`, { chunked, headers: { ...headers, ...over } }),
    )
    expect(refused.json?.sucesso).toBe(false)
    expectSuccess(await client.call(post({ formaPagamento: immediate() }, { headers })))
    client.close()
  })

  it("refuses a body in an unknown encoding", async () => {
    const call = post({ formaPagamento: immediate() }, { headers: { "content-encoding": "x-pix" } })
    expectFailure(await world().callAs(shop, call), 415, "tipo-de-conteudo-invalido")
  })

  it.each(["identity", "Identity", ""])("reads a body in the encoding %j", async (encoding) => {
    const call = post({ formaPagamento: immediate() }, { headers: { "content-encoding": encoding } })
    expectSuccess(await world().callAs(shop, call))
  })

  it("reads a body of undeclared length", async () => {
    expectSuccess(await world().callAs(shop, post({ formaPagamento: immediate() }, { chunked: true })))
  })

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "x application/json"])(
    "rejects the content type %s as not JSON",
    async (type) => {
      const call = post(JSON.stringify({ formaPagamento: immediate() }), { headers: { "content-type": type } })
      expectFailure(await world().callAs(shop, call), 415, "tipo-de-conteudo-invalido")
    },
  )

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json ;charset=utf-8",
    "APPLICATION/JSON",
    "application/vnd.loja+json",
    "",
  ])("accepts the content type %j as JSON", async (type) => {
    const call = post(JSON.stringify({ formaPagamento: immediate() }), { headers: { "content-type": type } })
    expectSuccess(await world().callAs(shop, call))
  })

  it.each([
    ["PUT", "/api/pix", "POST"],
    ["GET", "/api/pix", "POST"],
    ["PATCH", `/api/pix/${id}`, "GET, DELETE"],
    ["POST", `/api/pix/${id}`, "GET, DELETE"],
    ["GET", `/api/pix/simular-pagamento/${id}`, "POST"],
    ["POST", "/api/token/abc", "GET"],
    ["GET", "/api/token", "POST"],
  ])("answers %s %s with 405 and the allowed methods", async (method, path, allow) => {
    const answer = await world().call({ method, path })
    expectFailure(answer, 405, "metodo-nao-permitido")
    expect(answer.headers["allow"]).toBe(allow)
  })

  it.each([
    ["no body", {}, ""],
    ["a body", { "content-length": "2" }, "{}"],
    ["a body in chunks", { "transfer-encoding": "chunked" }, inChunks("{}", 2)],
  ])(
    "answers 405 to every method that Node knows except CONNECT, OPTIONS, HEAD and GET, with %s",
    async (_, headers, body) => {
      const { baseUrl } = world().mounted
      const target = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/api/token/${basicSecret(shop)}`
      for (const method of METHODS.filter((each) => !["CONNECT", "OPTIONS", "HEAD", "GET"].includes(each))) {
        const answer = await rawCall(baseUrl, `${method} ${target}`, headers, body)
        expectFailure(answer, 405, "metodo-nao-permitido")
        expect(answer.headers["allow"]).toBe("GET")
      }
    },
  )

  it("answers 405 without a body to a HEAD", async () => {
    const answer = await world().call({ method: "HEAD", path: `/api/pix/${id}` })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 405, text: "" })
  })

  it.each([
    ["GET", "/api/outra"],
    ["GET", "/outra"],
    ["POST", "/api/pix/a/b/c"],
    ["OPTIONS", "/api/pix"],
  ])("leaves %s %s to the host", async (method, path) => {
    const answer = await world().call({ method, path })
    expect(answer.status).toBe(404)
    // Without a host, pixcharge answers.
    if (!world().mounted.hasHost) return expectFailure(answer, 404, "rota-inexistente")
    expect(answer.json?.sucesso).toBeUndefined()
  })

  it("leaves the host's own routes working", async () => {
    const answer = await world().call({ method: "GET", path: "/host" })
    expect(answer).toMatchObject(world().mounted.hasHost ? { status: 200, text: "host" } : { status: 404 })
  })

  it("ignores a query string", async () => {
    expectSuccess(await world().callAs(shop, post({ formaPagamento: immediate() }, { path: "/api/pix?x=1" })))
  })

  it.each([
    ["no body", {}],
    ["an empty object", { body: {} }],
    ["a text body", { body: "olá", headers: { "content-type": "text/plain" } }],
  ])("answers a simulation with %s", async (_, over) => {
    const formaPagamento = immediate()
    await world().callAs(shop, post({ formaPagamento }))
    expectSuccess(await world().callAs(shop, simulate(formaPagamento.idFaturaPag, over)))
  })

  it("answers a simulation with broken JSON unless the host's parser refuses it", async () => {
    const formaPagamento = immediate()
    await world().callAs(shop, post({ formaPagamento }))
    const answer = await world().callAs(shop, simulate(formaPagamento.idFaturaPag, { body: "{" }))
    if (world().mounted.parsesJson !== true) return expectSuccess(answer)
    expectFailure(answer, 400, "json-invalido")
    expect((await world().pix.find(shop.cnpj, formaPagamento.idFaturaPag)).status).toBe("pending")
  })

  it("survives a caller that disconnects while sending a body", async () => {
    const { connect } = await import("node:net")
    const { hostname, port, pathname } = new URL(world().mounted.baseUrl)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const head = [
          `POST ${pathname.replace(/\/$/, "")}/api/pix HTTP/1.1`,
          "Host: localhost",
          "Content-Type: application/json",
          "Content-Length: 100",
          `Authorization: Bearer ${world().tokenFor(shop)}`,
        ]
        socket.write(`${head.join("\r\n")}\r\n\r\n{`)
        setTimeout(() => socket.destroy(), 20)
      })
      socket.on("error", () => socket.destroy()).on("close", () => resolve())
    })
    expectSuccess(await world().callAs(shop, post({ formaPagamento: immediate() })))
  })
}
