/** The code of an error of Node's, such as `ECONNRESET`. */
export const errorCode = (error: unknown): string | undefined => {
  const { code } = Object(error) as { readonly code?: unknown }
  return typeof code === "string" ? code : undefined
}
