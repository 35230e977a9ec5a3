/** Keeps a field that repeats what a caller wrote out of inspection, JSON and whatever else lists an error's fields. */
export const hideField = <E extends Error>(error: E, name: keyof E & string): void => {
  Object.defineProperty(error, name, { enumerable: false })
}
