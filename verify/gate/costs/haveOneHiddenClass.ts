import { setFlagsFromString } from "node:v8"

setFlagsFromString("--allow-natives-syntax")

const haveSameMap = new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean

/** Enough for V8 to compile the code, like in a busy host. */
const warmUps = 500

/**
 * True if repeated values have the same hidden class of V8 each time. Node 20 gives `{ ...a, b }` a new class each time: making
 * it and each read of it take ten times as long as for `{ b, ...a }`.
 */
export const haveOneHiddenClass = async (make: () => Promise<object>): Promise<boolean> => {
  for (let at = 0; at < warmUps; at++) await make()
  return haveSameMap(await make(), await make())
}
