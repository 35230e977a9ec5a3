/** Marks the fields that can name the payer. */
export type PersonalMarks<Value> = Value extends unknown ? Readonly<Record<keyof Value, boolean>> : never

export const withoutPersonal = <Value extends object>(value: Value, marks: Readonly<Record<string, boolean>>): Value =>
  Object.fromEntries(Object.entries(value).filter(([field]) => marks[field] !== true)) as Value
