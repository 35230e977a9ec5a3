import { makeRecentMap } from "@pixcharge/core/internal"

const maxCount = 1_000

/** Keeps the last 1000 results: few endpoints get many events each. */
export const memoize = <A>(f: (text: string) => A): ((text: string) => A) => {
  const results = makeRecentMap<string, { readonly result: A }>(maxCount)
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known.result
    const result = f(text)
    results.set(text, { result })
    return result
  }
}
