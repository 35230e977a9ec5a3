/** Skips rows without a time. */
export const findEarliest = <A>(
  groups: ReadonlyArray<Iterable<A>>,
  moment: (row: A) => number | undefined,
  limit: number,
): ReadonlyArray<A> => {
  const found: Array<{ readonly row: A; readonly at: number }> = []
  for (const rows of groups) {
    for (const row of rows) {
      const at = moment(row)
      if (at === undefined || (found.length >= limit && at >= (found.at(-1)?.at ?? 0))) continue
      found.splice(found.findLastIndex((one) => one.at <= at) + 1, 0, { row, at })
      if (found.length > limit) found.pop()
    }
  }
  return found.map(({ row }) => row)
}
