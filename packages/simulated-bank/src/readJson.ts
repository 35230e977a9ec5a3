/** Reads JSON. A field that is null is absent: clients write fields that they don't set as null. Throws a `SyntaxError`. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, function (this: unknown, _name, value: unknown) {
    return value === null && !Array.isArray(this) ? undefined : value
  })
