/** A hook of a test runner: `afterEach`, `afterAll`; `after` of `node:test`. */
export type RegisterHook = (hook: () => void | Promise<void>) => unknown

/** Optional hooks: an idle instance keeps no process alive. */
export interface Cleanup {
  /** Forgets captured events after each test. */
  readonly afterEach?: RegisterHook
  /** Disposes after the last test. */
  readonly afterAll?: RegisterHook
}
