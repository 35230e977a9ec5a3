import { setFlagsFromString } from "node:v8"

setFlagsFromString("--allow-natives-syntax")

const haveSameMap = new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean

/** Enough runs for V8 to compile the code, as in a busy host. */
const warmUps = 500

/**
 * True if all values that `make` returns share one hidden class of V8. Node 20 gives each `{ ...a, b }` a new class: to
 * make and to read it takes ten times as long as with `{ b, ...a }`.
 */
export const haveOneHiddenClass = async (make: () => Promise<object>): Promise<boolean> => {
  for (let index = 0; index < warmUps; index++) await make()
  return haveSameMap(await make(), await make())
}
