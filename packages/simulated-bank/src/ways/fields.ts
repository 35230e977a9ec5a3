/** An object's fields. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; none if it is not an object. */
export const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {})
