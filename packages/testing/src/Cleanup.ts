/** A hook of a test runner: `afterEach`, `afterAll`; `after` of `node:test`. */
export type RegisterHook = (hook: () => void | Promise<void>) => unknown

/** When the test runner is to clean up. Without it nobody does: what is idle keeps no process alive. */
export interface Cleanup {
  /** After each test, to forget what was captured. */
  readonly afterEach?: RegisterHook
  /** After the last test, to dispose. */
  readonly afterAll?: RegisterHook
}
