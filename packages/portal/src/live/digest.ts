/** A text's SHA-256 in hexadecimal digits: it is short for long texts, and says nothing of them. */
export const digest = async (text: string): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")
