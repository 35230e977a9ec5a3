/** The same JSON with every text replaced by what `write` makes of it. */
export const mapTexts = (json: unknown, write: (text: string) => string): unknown => {
  if (typeof json === "string") return write(json)
  if (Array.isArray(json)) return json.map((item) => mapTexts(item, write))
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, field]) => [name, mapTexts(field, write)]))
}
