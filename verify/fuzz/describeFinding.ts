import { inspect } from "node:util"
import type { Finding } from "./fuzz.ts"
import { generate } from "./generate.ts"

export const describeFinding = (seed: number, { says, from, count }: Finding): string => {
  const which = count === 1 ? `Request ${from}` : `One of the requests ${from} to ${from + count - 1}`
  const replay = `pnpm fuzz --seed ${seed} --from ${from} --count ${count}`
  const request = count === 1 ? `\n${inspect(generate(seed, from), { depth: 6, breakLength: 120 })}` : ""
  return `${which} of seed ${seed} breaks a rule: ${says}\nReplay it by ${replay}${request}`
}
