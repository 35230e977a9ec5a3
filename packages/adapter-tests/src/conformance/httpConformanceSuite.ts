import type { SandboxOptions } from "@pixcharge/embed"
import { afterAll, beforeAll, describe } from "vitest"
import { chargeRows } from "./chargeRows.ts"
import type { Conformance, Mount } from "./Conformance.ts"
import { contractRows } from "./contractRows.ts"
import { exchangeRows } from "./exchangeRows.ts"
import { type Call, makeHttpClient } from "./HttpClient.ts"
import { lifeRows } from "./lifeRows.ts"
import { openApiRows } from "./openApiRows.ts"
import { pathRows } from "./pathRows.ts"
import { replyBodyRows } from "./replyBodyRows.ts"
import { requestRows } from "./requestRows.ts"
import { tokenLimitRows } from "./tokenLimitRows.ts"
import { tokenPathRows, tokenRows } from "./tokenRows.ts"
import { type Actor, actors, makeSandbox, basicSecret } from "./World.ts"

export interface ConformanceOptions {
  /** The store of charges; by default in memory. */
  readonly store?: SandboxOptions["store"]
  /**
   * By default all rows. `binding`: only rows about paths, bodies, methods and headers, which a framework's binding can break.
   */
  readonly rows?: "all" | "binding"
}

/**
 * The contract's table of requests and answers, over a real socket against one way to mount the routes: every status, field and
 * format, and every decision that the contract leaves open.
 */
export const httpConformanceSuite = (
  name: string,
  mount: Mount,
  { rows = "all", ...over }: ConformanceOptions = {},
): void => {
  describe(`HTTP conformance: ${name}`, () => {
    const closers: Array<() => unknown> = []
    const tokens = new Map<string, string>()
    let started: Conformance
    const tokenFor = (actor: Actor) => tokens.get(actor.cnpj) ?? ""

    beforeAll(async () => {
      const pix = makeSandbox(undefined, over)
      const mounted = await mount(pix)
      const client = makeHttpClient(mounted.baseUrl)
      closers.push(() => client.close(), mounted.close, pix.dispose)
      for (const actor of Object.values(actors)) {
        const answer = await client.call({
          method: "GET",
          path: `/api/token/${encodeURIComponent(basicSecret(actor))}`,
        })
        tokens.set(actor.cnpj, answer.json?.data)
      }
      const callAs = (actor: Actor, call: Call) =>
        client.call({ ...call, headers: { authorization: `Bearer ${tokenFor(actor)}`, ...call.headers } })
      started = { pix, mounted, call: client.call, callAs, tokenFor }
    })

    afterAll(async () => {
      for (const close of closers) await close()
    })

    const world = () => started
    tokenPathRows(world)
    exchangeRows(world)
    pathRows(world)
    if (rows === "binding") return
    contractRows(world)
    tokenRows(world)
    chargeRows(world)
    lifeRows(world)
  })

  describe(`Requests: ${name}`, () => requestRows(mount))

  describe(`Bodies of replies: ${name}`, () => replyBodyRows(mount))

  if (rows === "binding") return

  describe(`Limits of token requests: ${name}`, () => tokenLimitRows(mount))

  describe(`The OpenAPI document: ${name}`, () => openApiRows(mount))
}
