const sizes = [
  [1e12, "tri"],
  [1e9, "bi"],
  [1e6, "mi"],
  [1e3, "mil"],
] as const

const written = (value: number): string => String(Number(value.toFixed(2))).replace(".", ",")

/** A round number as short as an axis wants it: `1,5 mil`, `250`, `0,05`. */
export const shortNumber = (value: number): string => {
  const [size, name] = sizes.find(([least]) => value >= least) ?? [1, undefined]
  return name === undefined ? written(value) : `${written(value / size)} ${name}`
}

/** Cents as reais, as short. */
export const shortReais = (cents: number): string => shortNumber(cents / 100)
