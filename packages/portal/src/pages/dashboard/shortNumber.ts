const sizes = [
  [1e12, "tri"],
  [1e9, "bi"],
  [1e6, "mi"],
  [1e3, "mil"],
] as const

const writeNumber = (value: number): string => String(Number(value.toFixed(2))).replace(".", ",")

/** A round number, short enough for an axis: `1,5 mil`, `250`, `0,05`. */
export const shortNumber = (value: number): string => {
  const [size, name] = sizes.find(([least]) => value >= least) ?? [1, undefined]
  return name === undefined ? writeNumber(value) : `${writeNumber(value / size)} ${name}`
}

/** Cents as reais, in the same way. */
export const shortReais = (cents: number): string => shortNumber(cents / 100)
