const written = /^(?:R\$ ?)?(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:,(\d{1,2}))?$/

/** Reads an amount as Brazilians write it, in cents: `12,50`, `1.234,5`, `R$ 7`. Undefined for anything else, also `12.50`. */
export const readReais = (text: string): number | undefined => {
  const [, whole, decimals = ""] = written.exec(text.trim()) ?? []
  return whole === undefined ? undefined : Number(whole.replaceAll(".", "")) * 100 + Number(decimals.padEnd(2, "0"))
}
