const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Random letters and digits. */
export const randomText = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join("")

const ispb = "12345678"
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replaceAll(/[-T:]/g, "")

/** `E` or `D`, the institution, the minute in UTC and 11 letters or digits. */
export const instantPaymentId = (letter: "E" | "D", at: number): string =>
  `${letter}${ispb}${minute(at)}${randomText(11)}`
