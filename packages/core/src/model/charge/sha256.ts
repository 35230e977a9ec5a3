// The core knows no platform's crypto, and its decisions can't wait for that of the web.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

const words = (hex: string): Int32Array => Int32Array.from(hex.split(/\s+/), (word) => Number.parseInt(word, 16))

const start = words("6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19")

const constants = words(`428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5
  d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc
  2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967
  27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3
  d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3
  748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2`)

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** The message in words: its bytes, a one, zeros until a block of 16 is full, and its length in bits. */
const toWords = (bytes: Uint8Array): DataView => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, bytes.length * 8)
  return view
}

/** The 64 words that a block of the message at this byte is spread over. */
const spread = (message: DataView, from: number): Int32Array => {
  const schedule = new Int32Array(64)
  for (let at = 0; at < 16; at++) schedule[at] = message.getInt32(from + at * 4)
  for (let at = 16; at < 64; at++) {
    const [w15, w2] = [schedule[at - 15] ?? 0, schedule[at - 2] ?? 0]
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    schedule[at] = ((schedule[at - 16] ?? 0) + s0 + (schedule[at - 7] ?? 0) + s1) | 0
  }
  return schedule
}

const addBlock = (state: Int32Array, schedule: Int32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g)
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const added = (h + sum1 + chosen + (constants[at] ?? 0) + (schedule[at] ?? 0)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + added) | 0
    d = c
    c = b
    b = a
    a = (added + (rotate(b, 2) ^ rotate(b, 13) ^ rotate(b, 22)) + majority) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = ((state[at] ?? 0) + word) | 0
}

/** SHA-256 of a text in UTF-8, in 64 hexadecimal digits (FIPS 180-4). */
export const sha256 = (text: string): string => {
  const message = toWords(new TextEncoder().encode(text))
  const state = start.slice()
  for (let from = 0; from < message.byteLength; from += 64) addBlock(state, spread(message, from))
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}
