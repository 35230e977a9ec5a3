import { MixedScheduler } from "effect/Scheduler"

// As they are when this is loaded: a test runner's fake timers, put in their place later, would hold every fiber for ever.
const { setImmediate, clearImmediate } = globalThis

/** Effect's scheduler on Node's own `setImmediate`. */
export const nodeScheduler = new MixedScheduler("async", (resume) => {
  const immediate = setImmediate(resume)
  return () => clearImmediate(immediate)
})
