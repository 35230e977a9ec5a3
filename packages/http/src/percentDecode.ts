/** The text that a percent-encoding stands for; undefined for a broken one. */
export const percentDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
