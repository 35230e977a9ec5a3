import * as Effect from "effect/Effect"
import fc from "fast-check"
import { expect, type RunnerTestCase, TestRunner } from "vitest"

// `fc.assert` throws if its property fails, so a call counts as an assertion.
fc.installGlobalPlugin(() => ({
  onAllRunsComplete: () => {
    expect.setState({ assertionCalls: expect.getState().assertionCalls + 1 })
  },
}))

/** Fails a test that returns an Effect, because its assertions would never run. */
export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const returned: unknown = await TestRunner.getTestFn(test)()
    if (Effect.isEffect(returned)) throw new Error("The test returned an Effect that was not run")
  }
}
