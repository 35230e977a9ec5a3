/** The known name that was probably meant: the one most like the written one, or one that contains it. Undefined if none is. */
export const closestName = (written: string, known: ReadonlyArray<string>): string | undefined => {
  const sought = written.toLowerCase()
  const holds = (name: string): boolean => sought.length >= leastPart && name.toLowerCase().includes(sought)
  const [closest] = known
    .map((name) => ({ name, apart: distance(sought, name.toLowerCase()) }))
    .filter(({ name, apart }) => apart <= Math.max(1, Math.floor(name.length / 3)) || holds(name))
    .toSorted((a, b) => a.apart - b.apart)
  return closest?.name
}

/** A shorter word stands in many names. */
const leastPart = 4

/** How many letters must be added, taken away or replaced to make one text of the other (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const letter of a) {
    let diagonal = 0
    let left = 0
    row = row.map((above, at) => {
      left = at === 0 ? above + 1 : Math.min(above + 1, left + 1, diagonal + (letter === b[at - 1] ? 0 : 1))
      diagonal = above
      return left
    })
  }
  return Math.max(...row.slice(-1))
}
