import type * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { aCnpj, anotherCnpj } from "../fixtures/Companies.ts"
import { commitAll } from "./separation/batch.ts"
import { companySteps } from "./separation/companySteps.ts"
import { type Actor, expectSeparateLives } from "./separation/lives.ts"
import { queueSteps } from "./separation/queueSteps.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

const companies: ReadonlyArray<Actor> = [
  { issuer: aCnpj, endpointId: "loja", number: 0 },
  { issuer: anotherCnpj, endpointId: "loja", number: 1 },
]
const queues: ReadonlyArray<Actor> = [
  ...companies,
  { issuer: aCnpj, endpointId: "parceiro", number: 2 },
  { issuer: anotherCnpj, endpointId: "parceiro", number: 3 },
]

/** Tests on a store that one company's actions don't affect what another one does and reads. */
export const separationSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: separation`, () => {
    const tests = storeTests(layer, hooks)

    // Each is many calls, which are slow on a busy machine.
    const timeoutMs = 120_000

    it(
      "companies whose charges, returns and events have the same ids see and change their own only",
      () => expectSeparateLives(tests, companySteps, companies),
      timeoutMs,
    )

    it(
      "an event in several queues is sent, counted, listed and purged in each independently",
      () => expectSeparateLives(tests, queueSteps, queues),
      timeoutMs,
    )

    it(
      "concurrent changes of many charges have the same results as sequential ones",
      async () => {
        const oneByOne = await tests.onEmptyStore(commitAll(1))
        expect(oneByOne.answers.filter(({ moved }) => moved)).toHaveLength(10)
        expect(await tests.onEmptyStore(commitAll("unbounded"))).toEqual(oneByOne)
      },
      timeoutMs,
    )
  })
}
