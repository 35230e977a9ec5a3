import { parseCnpj } from "@pixcharge/core"
import * as Result from "effect/Result"

const headquarters = (root: number): string => {
  for (let check = 0; check < 100; check++) {
    const written = `${root}0001${String(check).padStart(2, "0")}`
    if (Result.isSuccess(parseCnpj(written))) return written
  }
  throw new RangeError(`no CNPJ begins with ${root}`)
}

/** So many CNPJs, the same ones each time. */
export const cnpjs = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => headquarters(10_000_000 + index * 104_729))
