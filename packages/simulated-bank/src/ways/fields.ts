/** An object's fields. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; none where it is no object. */
export const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {})
