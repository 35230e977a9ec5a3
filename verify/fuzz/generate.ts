import { hashText, makeSeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { type FuzzRequest, mountNames, production } from "./FuzzRequest.ts"
import { generateBytes } from "./generateBytes.ts"
import { generateCall } from "./generateCall.ts"
import { generateNotice } from "./generateNotice.ts"

/** The share of requests that are bytes on a socket. */
const bytesShare = 0.1
/** The share of calls by banks, real or pretended. */
const noticesShare = 0.08
/** The share of the remaining requests that go to production. */
const productionShare = 0.02

/** Generates the request of a seed and a number, the same each time. */
export const generate = (seed: number, number: number): FuzzRequest => {
  const random = makeSeededRandom(hashText(`${seed}:${number}`))
  const mount = random.pick(mountNames)
  if (random.chance(bytesShare)) return { _tag: "Bytes", mount, writes: generateBytes(random) }
  if (random.chance(noticesShare)) return { _tag: "Call", mount: production, call: generateNotice(random) }
  return { _tag: "Call", mount: random.chance(productionShare) ? production : mount, call: generateCall(random) }
}
