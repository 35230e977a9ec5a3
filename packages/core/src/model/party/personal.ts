/** Each field of a value, also those that may be absent: whether it names the payer, or may, so that an erasure removes it. */
export type PersonalMarks<Value> = Value extends unknown ? Readonly<Record<keyof Value, boolean>> : never

/** The value without the fields that name the payer. */
export const withoutPersonal = <Value extends object>(value: Value, marks: Readonly<Record<string, boolean>>): Value =>
  Object.fromEntries(Object.entries(value).filter(([field]) => marks[field] !== true)) as Value
