const written = /^(?:R\$ ?)?(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:,(\d{1,2}))?$/

/** Cents of an amount as Brazilians write it: `12,50`, `1.234,5`, `R$ 7`; undefined for anything else, `12.50` too. */
export const readReais = (text: string): number | undefined => {
  const [, whole, decimals = ""] = written.exec(text.trim()) ?? []
  return whole === undefined ? undefined : Number(whole.replaceAll(".", "")) * 100 + Number(decimals.padEnd(2, "0"))
}
