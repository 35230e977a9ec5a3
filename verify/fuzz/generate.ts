import { hashText, makeSeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { type FuzzRequest, mountNames, production } from "./FuzzRequest.ts"
import { generateBytes } from "./generateBytes.ts"
import { generateCall } from "./generateCall.ts"
import { generateNotice } from "./generateNotice.ts"

const bytesShare = 0.1
const noticesShare = 0.08
const productionShare = 0.02

export const generate = (seed: number, number: number): FuzzRequest => {
  const random = makeSeededRandom(hashText(`${seed}:${number}`))
  const mount = random.pick(mountNames)
  if (random.chance(bytesShare)) return { _tag: "Bytes", mount, writes: generateBytes(random) }
  if (random.chance(noticesShare)) return { _tag: "Call", mount: production, call: generateNotice(random) }
  return { _tag: "Call", mount: random.chance(productionShare) ? production : mount, call: generateCall(random) }
}
