export const groupBy = <K, A>(values: ReadonlyArray<A>, toKey: (value: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const value of values) groups.set(toKey(value), [...(groups.get(toKey(value)) ?? []), value])
  return groups
}
