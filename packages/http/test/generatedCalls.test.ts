import type { Answer } from "@pixcharge/adapter-tests/conformance"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { type RouteName, routes } from "../src/wire/routes.ts"
import { type ExampleWorld, openExampleWorld, shop, withAbatement, withoutWallet } from "./exampleWorld.ts"
import { type Caller, type GeneratedCall, generateCalls, toCall } from "./generatedCalls.ts"
import { checkAnswer, checkHeaders, checkRequest } from "./openApiSchemas.ts"

/** The answers that refuse a request for its form or its caller. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 405, 413, 415, 429])

/** Statuses that no generated call gets: each needs a fault, a bank that waits, another method, or a body that isn't JSON. */
const otherStatuses: Readonly<Record<RouteName, ReadonlyArray<number>>> = {
  token: [405, 500, 503],
  tokenByPost: [400, 405, 413, 415, 500, 503],
  issue: [405, 413, 415, 500, 502, 503],
  status: [405, 500, 503],
  simulate: [405, 500, 503],
  refund: [202, 405, 500, 503],
}

const isRefusedByDocument = ({ name, parameter, body }: GeneratedCall): boolean =>
  parameter?.making === "broken" || (body !== undefined && checkRequest(name, body.value).length > 0)

const isUsual = ({ caller, parameter, body }: GeneratedCall): boolean =>
  caller === "shop" && [parameter, body].every((made) => made === undefined || made.making === "usual")

const flawsOf = (generated: GeneratedCall, answer: Answer): ReadonlyArray<string> => {
  const { name } = generated
  const isRefused = refusals.has(answer.status)
  return [
    ...(answer.status >= 500 ? ["the service fails"] : []),
    ...checkAnswer(name, answer.status, answer.json),
    ...checkHeaders(name, answer),
    ...(isRefusedByDocument(generated) && !isRefused
      ? ["the document refuses the request, and the service doesn't"]
      : []),
    ...(isUsual(generated) && isRefused ? ["a request that obeys all rules is refused"] : []),
  ]
}

const isLong = process.env["LONG"] !== undefined
if (isLong) vi.setConfig({ testTimeout: 300_000 })
const count = isLong ? 12_000 : 600
const seed = isLong ? Math.trunc(Math.random() * 1e9) : 1

let world: ExampleWorld

beforeEach(async () => {
  world = await openExampleWorld()
})

afterEach(() => world.close())

const fetchTokens = async (): Promise<Readonly<Record<Caller, string>>> => {
  const fetchToken = async (actor: typeof shop | typeof withAbatement | typeof withoutWallet) =>
    (await world.as(actor, { method: "GET", path: "/" })).headers?.["authorization"] ?? ""
  return {
    shop: await fetchToken(shop),
    withAbatement: await fetchToken(withAbatement),
    withoutWallet: await fetchToken(withoutWallet),
    nobody: "Bearer x.y.z",
  }
}

it("answers calls that json-schema-faker makes from the OpenAPI document as the document says, without failing", async () => {
  const calls = generateCalls(seed, count)
  const tokens = await fetchTokens()
  const seen = new Set<string>()
  for (const [index, generated] of calls.entries()) {
    if (index === calls.length / 2) await world.advance("11 minutes")
    const headers = { authorization: tokens[generated.caller], "content-type": "application/json", connection: "close" }
    const answer = await world.call({ ...toCall(generated), headers })
    expect(
      flawsOf(generated, answer),
      `Seed ${seed}: ${JSON.stringify(generated)} was answered ${answer.status} ${answer.text}`,
    ).toEqual([])
    seen.add(`${generated.name} ${answer.status}`)
  }
  const expected = (Object.keys(routes) as Array<RouteName>).flatMap((name) =>
    [...routes[name].successes, ...routes[name].failures, 401]
      .filter((status) => !otherStatuses[name].includes(status))
      .map((status) => `${name} ${status}`),
  )
  expect(seen).toEqual(new Set(expected))
})
