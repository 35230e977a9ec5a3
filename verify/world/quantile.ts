/** The value below which a share (0 to 1) of the values lies, interpolated linearly. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  return below + ((sorted[Math.ceil(place)] ?? below) - below) * (place % 1)
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)
