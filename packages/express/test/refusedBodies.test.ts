import { pixRouter } from "@pixcharge/express"
import { makeHttpClient, makeSandbox, mountServer, post } from "@pixcharge/adapter-tests/conformance"
import express from "express"
// @ts-expect-error -- an alias of express 4, which brings no types of its own
import express4 from "express4"
import { createServer } from "node:http"
import { gzipSync } from "node:zlib"
import { afterEach, describe, expect, it, vi } from "vitest"

afterEach(() => vi.restoreAllMocks())

const canary = "documento-12345678909"
const form = "application/x-www-form-urlencoded"
const json = "application/json"

/** Each body's name, media type, encoding and content, then the answer's status and code. */
const refused: ReadonlyArray<readonly [string, string, string, string | Buffer, number, string]> = [
  ["too many parameters", form, "", `a=${canary}&${"b=1&".repeat(1_001)}`, 413, "corpo-grande-demais"],
  ["too deep nesting", form, "", `a${"[b]".repeat(40)}=${canary}`, 400, "json-invalido"],
  ["a broken compression", json, "gzip", canary, 400, "json-invalido"],
  ["a compression cut short", json, "gzip", gzipSync(canary).subarray(0, 25), 400, "json-invalido"],
  ["a broken Brotli", json, "br", canary, 400, "json-invalido"],
  ["an unknown compression", json, "x-pix", canary, 415, "tipo-de-conteudo-invalido"],
  ["an unknown charset", `${json}; charset=x-pix`, "", canary, 415, "tipo-de-conteudo-invalido"],
  ["broken JSON", json, "", `{"a":"${canary}`, 400, "json-invalido"],
  ["a long body", json, "", `"${canary.repeat(10_000)}"`, 413, "corpo-grande-demais"],
]

describe.each([
  ["Express", express],
  ["Express 4", express4 as unknown as typeof express],
])("a body that a parser of %s refuses", (_, make) => {
  it.each(refused)("gets our error shape and isn't logged: %s", async (...row) => {
    const [what, type, encoding, body, status, code] = row
    await using pix = makeSandbox()
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const app = make()
    app.set("env", "development")
    app.use(make.json(), make.urlencoded({ extended: true }), pixRouter(pix))
    const server = await mountServer(createServer(app), "", true)
    const client = makeHttpClient(server.baseUrl)
    const headers = { "content-type": type, ...(encoding !== "" && { "content-encoding": encoding }) }
    const answer = await client.call({ ...post(body), headers })
    // Express 4 doesn't know Brotli.
    const isUnknown = what === "a broken Brotli" && answer.status === 415
    const expected = isUnknown ? [415, "tipo-de-conteudo-invalido"] : [status, code]
    expect([answer.status, answer.headers["pix-erro"]]).toEqual(expected)
    expect(Object.keys(answer.json)).toEqual(["sucesso", "errors"])
    expect(answer.text).not.toContain(canary)
    expect(logged).not.toHaveBeenCalled()
    client.close()
    await server.close()
  })
})
