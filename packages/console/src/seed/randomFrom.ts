import { hash } from "node:crypto"

/** Pseudo-random numbers of a seed. */
export interface Random {
  /** From 0 to 1, without 1. */
  readonly next: () => number
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number
  /** One of the items, by their weights. */
  readonly pick: <A>(items: ReadonlyArray<readonly [weight: number, item: A]>) => A
  readonly uuid: () => string
}

/** Makes the numbers of a seed. */
export const randomFrom = (seed: string): Random => {
  let count = 0
  const digest = (): string => hash("sha256", `${seed}/${count++}`)
  const next = (): number => Number.parseInt(digest().slice(0, 13), 16) / 2 ** 52
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: <A>(items: ReadonlyArray<readonly [weight: number, item: A]>): A => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      const found = items.find(([weight]) => (left -= weight) < 0) ?? items.at(-1)
      if (found === undefined) throw new RangeError("there is nothing to pick from")
      return found[1]
    },
    uuid: () => {
      const hex = digest()
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
}
