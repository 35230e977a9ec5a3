/** Keeps a field that repeats what a caller wrote out of inspection, JSON and all else that lists an error's fields. */
export const hideField = (error: Error, name: string): void => {
  Object.defineProperty(error, name, { enumerable: false })
}
