/** How many letters must be added, taken away or replaced to make one text of the other (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Of the names that are known the one that was probably meant; undefined if none is like it. */
export const closestName = (written: string, known: ReadonlyArray<string>): string | undefined => {
  const [closest] = known
    .map((name) => ({ name, apart: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, apart }) => apart <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.apart - b.apart)
  return closest?.name
}
