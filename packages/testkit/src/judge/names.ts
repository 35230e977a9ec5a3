/** A name for a history: `c3` for the third charge by its id or txid, `p2` for the second payment. */
export const nameOf = (id: string): string =>
  id.startsWith("E00") ? `p${Number(id.slice(1, 32))}${id.slice(32)}` : `c${Number.parseInt(id.slice(0, 8), 16)}`
