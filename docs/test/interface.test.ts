import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { openApiDocument } from "@pixcharge/http/contract"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { readText } from "./pages.ts"

const page = readText("docs/interface.md")

interface Example {
  readonly request: string
  readonly answer: string
}

const blocks = [...page.matchAll(/^```http\n(.*?)^```$/gms)].map(([, block = ""]) => block.trim())
const isRequest = (block: string): boolean => /^[A-Z]+ \//.test(block)
const requests = blocks.filter(isRequest)
const answers = blocks.filter((block) => !isRequest(block))
const examples: ReadonlyArray<Example> = requests.map((request, index) => ({
  request,
  answer: answers[index] ?? "",
}))

const parse = (block: string) => {
  const [head = "", ...body] = block.split("\n\n")
  const [first = "", ...lines] = head.split("\n")
  const headers = lines.map((line) => line.split(": ", 2) as [string, string])
  return { first, headers: Object.fromEntries(headers), body: body.join("\n\n") }
}

// The page shows exact answers, so the clock is stopped and the transaction ids are given.
const now = new Date("2026-11-20T14:00:00Z")
const transactionIds = ["6d1f3c9a-52f7-4b0e-8f5e-0b7a5c1d9e01", "a2b94e17-3c5d-4e86-9a0f-7e6d5c4b3a02"] as const

const tokenPattern = /eyJ[\w.-]+/

const openServer = async () => {
  vi.useFakeTimers({ toFake: ["Date"], now })
  const ids = [...transactionIds]
  vi.spyOn(globalThis.crypto, "randomUUID").mockImplementation(() => ids.shift() ?? randomUUID())
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [
        {
          cnpj: "12345678000195",
          name: "Minha Loja",
          city: "Recife",
          pixKey: "loja@example.com",
          integratorKey: "chave-da-loja",
          graceDays: 5,
        },
      ],
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
  })
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const body = Buffer.concat(chunks)
    const answer = await pix.fetch(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method ?? "",
        headers: incoming.headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      }),
    )
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await pix.dispose()
      vi.restoreAllMocks()
      vi.useRealTimers()
    },
  }
}

describe("docs/interface.md", () => {
  let server: Awaited<ReturnType<typeof openServer>>

  beforeEach(async () => {
    server = await openServer()
  })
  afterEach(() => server.close())

  /** Sends one of the page's requests and compares the answer with the page. Returns the answer's body. */
  const expectShown = async ({ request, answer }: Example, token: string): Promise<string> => {
    const asked = parse(request.replace("<token>", token))
    const shown = parse(answer)
    const [method = "", path = ""] = asked.first.split(" ")
    const given = await fetch(server.baseUrl + path, {
      method,
      headers: asked.headers,
      ...(asked.body !== "" && { body: asked.body }),
    })
    const text = await given.text()
    expect(JSON.parse(text.replace(tokenPattern, "<token>")), asked.first).toEqual(JSON.parse(shown.body))
    expect(String(given.status)).toBe(shown.first)
    for (const [name, value] of Object.entries(shown.headers)) expect(given.headers.get(name), name).toBe(value)
    return text
  }

  it("shows at least ten requests with their answers", () => {
    expect(requests.length).toBeGreaterThanOrEqual(10)
    expect(answers.length).toBe(requests.length)
  })

  it("the page's requests, sent in order, get the answers that the page shows", async () => {
    let token = ""
    for (const example of examples) token = tokenPattern.exec(await expectShown(example, token))?.[0] ?? token
  })

  it("a body of unnamed type is read as JSON", async () => {
    const [token] = tokenPattern.exec(await expectShown(examples[0] as Example, "")) ?? []
    const body = parse(requests.find((request) => request.startsWith("POST /api/pix\n")) ?? "").body
    const given = await fetch(`${server.baseUrl}/api/pix`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      // `fetch` sends no `Content-Type` with bytes, but sends one with a string.
      body: new TextEncoder().encode(body),
    })
    expect(given.status).toBe(200)
  })
})

const readRows = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  readText(name)
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    )

/** The codes of a failure in the OpenAPI document: the names of its examples. */
const codesIn = (response: object): ReadonlyArray<string> => {
  const { content } = response as { readonly content: Readonly<Record<string, { readonly examples: object }>> }
  return Object.keys(content["application/json"]?.examples ?? {})
}

describe.each([
  ["docs/interface.md", "all"],
  ["docs/pt-BR/contrato.md", "todas"],
])("the failures in %s", (name, all) => {
  const rows = readRows(name)
  const listed = rows.filter(([status = ""]) => /^[45]\d\d$/.test(status))

  it("match the operations of the contract's OpenAPI document", () => {
    const routes = new Map(
      rows
        .filter(([, route = ""]) => /^(GET|POST|DELETE) \//.test(route))
        .map(([operation = "", route = ""]) => [route, operation]),
    )
    const inPage = [...routes].map(([route, operation]) => {
      const failures = listed.filter(
        ([, , , operations = ""]) => operations === all || operations.split(", ").includes(operation),
      )
      return [route, [...new Set(failures.map(([status, code]) => `${status} ${code}`))].toSorted()]
    })
    const inContract = Object.entries(openApiDocument().paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        const responses = "responses" in operation ? operation.responses : {}
        const inDocument = Object.entries(responses).flatMap(([status, response]) =>
          Number(status) < 400 ? [] : codesIn(response).map((code) => `${status} ${code}`),
        )
        return [`${method.toUpperCase()} ${path}`, inDocument.toSorted()]
      }),
    )
    expect(inContract.length).toBe(6)
    expect(Object.fromEntries(inPage)).toEqual(Object.fromEntries(inContract))
  })
})

type Schema = { readonly $ref?: string; readonly properties?: Readonly<Record<string, Schema>> }

const schemas = openApiDocument().components.schemas as Readonly<Record<string, Schema>>

const fieldsOf = ({ $ref, properties }: Schema): ReadonlyArray<string> => {
  const inner = $ref === undefined ? properties : schemas[$ref.replace(/.*\//, "")]?.properties
  return Object.entries(inner ?? {}).flatMap(([name, schema]) => [
    name,
    ...fieldsOf(schema).map((field) => `${name}.${field}`),
  ])
}

/** The first column of the table that contains this name. A cell can name several fields. */
const readNames = (file: string, name: string): ReadonlyArray<string> => {
  const rows = readRows(file)
  const index = rows.findIndex(([cell, ...cells]) => cell === name && cells.length > 1)
  const first = rows.slice(0, index).findLastIndex((row) => row.length === 0) + 3
  const after = rows.slice(index).findIndex((row) => row.length === 0)
  return rows.slice(first, after < 0 ? undefined : index + after).flatMap(([cell = ""]) => cell.split(", "))
}

describe.each(["docs/interface.md", "docs/pt-BR/contrato.md"])("the tables of fields in %s", (name) => {
  it.each([
    ["formaPagamento.tpTransacao", "PedidoDeCobranca", ["formaPagamento"]],
    ["data.retUrl", "CobrancaEmitida", ["data"]],
    ["referencia", "Transacao", []],
  ])("have, in the table with %s, the fields of the contract's %s", (field, schema, told) => {
    const inContract = fieldsOf(schemas[schema] ?? {}).filter((one) => !told.includes(one))
    expect(inContract.length).toBeGreaterThan(3)
    expect(readNames(name, field).toSorted()).toEqual(inContract.toSorted())
  })
})
