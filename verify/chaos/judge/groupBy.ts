/** Groups values by key, in order. */
export const groupBy = <A>(
  values: ReadonlyArray<A>,
  toKey: (value: A) => string,
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const value of values) {
    const group = groups.get(toKey(value))
    if (group === undefined) groups.set(toKey(value), [value])
    else group.push(value)
  }
  return groups
}
