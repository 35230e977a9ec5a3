import * as Effect from "effect/Effect"
import fc from "fast-check"
import { expect, type RunnerTestCase, TestRunner } from "vitest"

// `fc.assert` throws if its property does not hold: an assertion like any other.
fc.installGlobalPlugin(() => ({
  onAllRunsComplete: () => {
    expect.setState({ assertionCalls: expect.getState().assertionCalls + 1 })
  },
}))

/** Fails a test that returns an Effect, which nobody runs: whatever it asserts is never looked at. */
export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const returned: unknown = await TestRunner.getTestFn(test)()
    if (Effect.isEffect(returned)) throw new Error("The test returned an Effect that was not run")
  }
}
