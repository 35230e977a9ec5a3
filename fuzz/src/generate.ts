import { hashText, makeSeededRandom } from "#simulation/SeededRandom"
import { type FuzzRequest, mountNames } from "./FuzzRequest.ts"
import { generateBytes } from "./generateBytes.ts"
import { generateCall } from "./generateCall.ts"

/** How many requests are bytes on a socket. */
const bytesShare = 0.1

/** The request of a seed and a number: the same each time. */
export const generate = (seed: number, number: number): FuzzRequest => {
  const random = makeSeededRandom(hashText(`${seed}:${number}`))
  const mount = random.pick(mountNames)
  return random.chance(bytesShare)
    ? { _tag: "Bytes", mount, writes: generateBytes(random) }
    : { _tag: "Call", mount, call: generateCall(random) }
}
