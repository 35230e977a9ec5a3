// The core knows no platform's crypto, and its decisions can't wait for that of the web.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

const words = (hex: string): ReadonlyArray<number> => hex.split(/\s+/).map((word) => Number.parseInt(word, 16))

const start = words("6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19")

const constants = words(`428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5
  d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc
  2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967
  27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3
  d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3
  748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2`)

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** The message in blocks of 16 words: its bytes, a one, zeros, and its length in bits. */
const toBlocks = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<number>> => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, bytes.length * 8)
  return Array.from({ length: padded.length / 64 }, (_, block) =>
    Array.from({ length: 16 }, (__, word) => view.getUint32(block * 64 + word * 4)),
  )
}

const addBlock = (state: ReadonlyArray<number>, block: ReadonlyArray<number>): ReadonlyArray<number> => {
  const schedule = [...block]
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (const [at, constant] of constants.entries()) {
    const [w = 0, w1 = 0, w9 = 0, w14 = 0] = [0, 1, 9, 14].map((ahead) => schedule[at + ahead])
    const s0 = rotate(w1, 7) ^ rotate(w1, 18) ^ (w1 >>> 3)
    const s1 = rotate(w14, 17) ^ rotate(w14, 19) ^ (w14 >>> 10)
    schedule.push((w + s0 + w9 + s1) | 0)
    const chosen = (e & f) ^ (~e & g)
    const added = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + chosen + constant + w) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixed = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + added) | 0, c, b, a, (added + mixed) | 0]
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + (state[at] ?? 0)) | 0)
}

/** SHA-256 of a text in UTF-8, in 64 hexadecimal digits (FIPS 180-4). */
export const sha256 = (text: string): string =>
  toBlocks(new TextEncoder().encode(text))
    .reduce(addBlock, start)
    .map((word) => (word >>> 0).toString(16).padStart(8, "0"))
    .join("")
