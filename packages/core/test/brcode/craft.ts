/** The checksum by its definition, bit by bit over bytes: what ours is compared with. */
export const crcOfBytes = (bytes: Iterable<number>): string => {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}

/** A text up to `6304`, with its right checksum, even if all else is wrong with it. */
export const seal = (text: string): string => `${text}${crcOfBytes(new TextEncoder().encode(text))}`

/** A field, its length counted in code points. */
export const tlv = (id: string, value: string): string => `${id}${String([...value].length).padStart(2, "0")}${value}`

/** A code of these fields, in their order, sealed. An id may carry a suffix (`"26b"`), so that it can occur twice. */
export const craftCode = (fields: Readonly<Record<string, string | undefined>>): string =>
  seal(
    `${Object.entries(fields)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, value]) => (value === undefined ? "" : tlv(id.slice(0, 2), value)))
      .join("")}6304`,
  )

const gui = "0014br.gov.bcb.pix"

/** An account with a key, a URL or more, each an id and a value. */
export const craftAccount = (...fields: ReadonlyArray<readonly [string, string]>): string =>
  gui + fields.map(([id, value]) => tlv(id, value)).join("")

/** The fields of a static code without its account. */
const rest = { "00": "01", "52": "0000", "53": "986", "58": "BR", "59": "Fulano de Tal", "60": "BRASILIA" }

/** A static code that is valid except for what is changed; `undefined` takes a field away. */
export const staticWith = (changes: Readonly<Record<string, string | undefined>>): string =>
  craftCode({
    ...rest,
    "26": craftAccount(["01", "123e4567-e12b-12d1-a456-426655440000"]),
    "62": "0503***",
    ...changes,
  })

/** A dynamic code, likewise. */
export const dynamicWith = (changes: Readonly<Record<string, string | undefined>>): string =>
  staticWith({ "26": craftAccount(["25", "pix.example.com/8b3da2f39a4140d1a91abd93113bd441"]), ...changes })
