/** The checksum by definition, bit by bit, as an oracle. */
export const crcOfBytes = (bytes: Iterable<number>): string => {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}

/** Appends the right checksum to a text that ends in `6304`. */
export const seal = (text: string): string => `${text}${crcOfBytes(new TextEncoder().encode(text))}`

/** Counts the length in code points. */
export const tlv = (id: string, value: string): string => `${id}${String([...value].length).padStart(2, "0")}${value}`

/** A sealed code of these fields, in order. With a suffix (`"26b"`) an id can occur twice. */
export const craftCode = (fields: Readonly<Record<string, string | undefined>>): string =>
  seal(
    `${Object.entries(fields)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, value]) => (value === undefined ? "" : tlv(id.slice(0, 2), value)))
      .join("")}6304`,
  )

const gui = "0014br.gov.bcb.pix"

export const craftAccount = (...fields: ReadonlyArray<readonly [string, string]>): string =>
  gui + fields.map(([id, value]) => tlv(id, value)).join("")

const rest = { "00": "01", "52": "0000", "53": "986", "58": "BR", "59": "Fulano de Tal", "60": "BRASILIA" }

/** A valid static code with these changes; `undefined` removes a field. */
export const staticWith = (changes: Readonly<Record<string, string | undefined>>): string =>
  craftCode({
    ...rest,
    "26": craftAccount(["01", "123e4567-e12b-12d1-a456-426655440000"]),
    "62": "0503***",
    ...changes,
  })

export const dynamicWith = (changes: Readonly<Record<string, string | undefined>>): string =>
  staticWith({ "26": craftAccount(["25", "pix.example.com/8b3da2f39a4140d1a91abd93113bd441"]), ...changes })
