import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { randomUUID } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"
import { type ChargeRequestInput, createPix, type PlainIssueResult } from "../src/index.ts"

const cnpj = "12345678000195"
const company = { cnpj, name: "Escola", city: "Recife", pixKey: "escola@example.com", graceDays: 5 }

const open = (store = memoryStore()) =>
  createPix({
    environment: "sandbox",
    store,
    directory: memoryDirectory({ companies: [company] }),
    processor: sandboxProcessor(),
    background: false,
  })

const pix = open()
afterAll(() => pix.dispose())

const aRequest = (): ChargeRequestInput => ({ id: randomUUID(), amountCents: 1990 })
const requestsOf = (count: number) => Array.from({ length: count }, aRequest)

const readAll = async (results: AsyncIterable<PlainIssueResult>) => {
  const list: Array<PlainIssueResult> = []
  for await (const result of results) list.push(result)
  return list
}

/** A source that counts how many requests were read, and whether it was closed. */
const openSource = (requests: ReadonlyArray<ChargeRequestInput>) => {
  const source = { read: 0, isClosed: false }
  const iterable = (async function* () {
    try {
      for (const request of requests) {
        source.read++
        yield request
      }
    } finally {
      source.isClosed = true
    }
  })()
  return { source, iterable }
}

describe("issueMany", () => {
  it("returns each charge as issue does, with its request and the progress", async () => {
    const requests = requestsOf(50)
    const results = await readAll(pix.issueMany(cnpj, requests))
    expect(results.map(({ done, failed }) => [done, failed])).toEqual(requests.map((_, index) => [index + 1, 0]))
    expect(new Set(results.map(({ request }) => request))).toEqual(new Set(requests))
    for (const { request, charge } of results) expect(charge).toEqual(await pix.issue(cnpj, request))
  })

  it("returns why a request was refused, as issue would reject", async () => {
    const requests = [
      aRequest(),
      { ...aRequest(), amountCents: 0 },
      { ...aRequest(), dueDate: "2020-01-01" },
      { ...aRequest(), amountcents: 1 },
      null,
    ] as unknown as ReadonlyArray<ChargeRequestInput>
    const results = await readAll(pix.issueMany(cnpj, requests))
    const errors = new Map(results.map(({ request, error }) => [request, error]))
    const rejections = await Promise.allSettled(requests.map((request) => pix.issue(cnpj, request)))
    const messageOf = (rejection: PromiseSettledResult<unknown>) =>
      rejection.status === "rejected"
        ? (rejection.reason as Error).message.replace("issue(issuer, request)", "issueMany(issuer, requests, options)")
        : undefined
    expect(requests.map((request) => errors.get(request)?.message)).toEqual(rejections.map(messageOf))
    expect(results.at(-1)).toMatchObject({ done: 5, failed: 4 })
  })

  it("reads the source as it issues, and closes it when the loop breaks", async () => {
    const { source, iterable } = openSource(requestsOf(1_000))
    for await (const { done } of pix.issueMany(cnpj, iterable)) if (done === 10) break
    expect(source.isClosed).toBe(true)
    expect(source.read).toBeLessThan(120)
  })

  it("gives the same result for the same request, in a later run and within one", async () => {
    const requests = requestsOf(20)
    const charges = (results: ReadonlyArray<PlainIssueResult>) =>
      new Map(results.map(({ request, charge }) => [request.id, charge?.brCode]))
    const first = charges(await readAll(pix.issueMany(cnpj, requests)))
    const again = await readAll(pix.issueMany(cnpj, [...requests, ...requests]))
    expect(charges(again)).toEqual(first)
    expect(again.at(-1)).toMatchObject({ done: 40, failed: 0 })
  })

  it("counts the first of requests with the same id", async () => {
    const first = aRequest()
    const others = Array.from({ length: 5 }, (_, index) => ({ ...first, amountCents: index + 1 }))
    const results = await readAll(pix.issueMany(cnpj, [first, ...others]))
    expect(results.filter(({ charge }) => charge !== undefined).map(({ request }) => request)).toEqual([first])
    expect(results.flatMap(({ error }) => error?._tag ?? [])).toEqual(others.map(() => "ChargeConflict"))
  })

  it("answers the requests under way before it throws the signal's reason", async () => {
    const ending = new AbortController()
    const { source, iterable } = openSource(requestsOf(1_000))
    const issued = new Set<string>()
    const run = async () => {
      for await (const { request, done } of pix.issueMany(cnpj, iterable, { signal: ending.signal })) {
        issued.add(request.id)
        if (done === 10) ending.abort("stop for the day")
      }
    }
    await expect(run()).rejects.toBe("stop for the day")
    expect(source.isClosed).toBe(true)
    expect(issued.size).toBeLessThanOrEqual(source.read)
    const { charges } = await pix.figures(cnpj, { from: pix.clock.now() - 60_000, until: pix.clock.now() + 1 })
    expect(charges.issued).toBeGreaterThanOrEqual(issued.size)
  })

  it("throws the error of its source", async () => {
    const broken = (function* () {
      yield aRequest()
      throw new Error("the file ends early")
    })()
    const results: Array<PlainIssueResult> = []
    const run = async () => {
      for await (const result of pix.issueMany(cnpj, broken)) results.push(result)
    }
    await expect(run()).rejects.toMatchObject({ message: "the file ends early" })
    expect(results).toHaveLength(1)
  })

  it("throws for a company that can't issue, and for what isn't a list of requests", async () => {
    await expect(readAll(pix.issueMany("11222333000181", requestsOf(3)))).rejects.toMatchObject({
      _tag: "CompanyNotFound",
    })
    await expect(readAll(pix.issueMany("1", requestsOf(3)))).rejects.toMatchObject({ _tag: "InvalidTaxId" })
    await expect(readAll(pix.issueMany(cnpj, aRequest() as never))).rejects.toMatchObject({ _tag: "InvalidOption" })
  })

  it("records each request under the actor's name", async () => {
    const requests = requestsOf(3)
    await readAll(pix.by("ana").issueMany(cnpj, requests))
    const { items } = await pix.audit.list(cnpj, { by: "ana" })
    expect(new Set(items.map(({ change }) => change))).toEqual(
      new Set(requests.map(({ id: chargeId }) => ({ kind: "issueRequested", chargeId }))),
    )
  })

  it("ends with PixDisposed when the instance does, after the requests under way", async () => {
    const store = memoryStore()
    const closing = open(store)
    const { source, iterable } = openSource(requestsOf(1_000))
    let done = 0
    let disposing: Promise<void> | undefined
    const run = async () => {
      for await (const result of closing.issueMany(cnpj, iterable)) {
        done = result.done
        if (done === 10) disposing = closing.dispose()
      }
    }
    await expect(run()).rejects.toMatchObject({ _tag: "PixDisposed" })
    await disposing
    expect(source.isClosed).toBe(true)
    expect(done).toBeLessThan(120)
    await expect(readAll(closing.issueMany(cnpj, requestsOf(1)))).rejects.toMatchObject({ _tag: "PixDisposed" })
  })
})
