/** The value below which this share of the values is, interpolated linearly. The share is from 0 to 1. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  return below + ((sorted[Math.ceil(place)] ?? below) - below) * (place % 1)
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)
