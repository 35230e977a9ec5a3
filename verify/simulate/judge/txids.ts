import { createHash } from "node:crypto"

// Decision 59: a txid is a number in base 36 of 35 digits: 25 of the UUID, 6 of the company, and 4 that check both.
const companyCount = 36n ** 6n

export const txidOf = (issuer: string, id: string): string => {
  const digest = createHash("sha256").update(`pixcharge txid of ${issuer}`).digest("hex")
  const named = BigInt(`0x${id.replaceAll("-", "")}`) * companyCount + (BigInt(`0x${digest}`) % companyCount)
  return [named, named % 1_679_609n]
    .map((part, index) => part.toString(36).padStart(index === 0 ? 31 : 4, "0"))
    .join("")
}

/** The UUID in a txid, without hyphens; undefined if `txid` isn't one of ours. */
export const txidUuid = (txid: string): string | undefined => {
  if (!/^[0-9a-z]{35}$/.test(txid)) return undefined
  const uuid = Array.from(txid.slice(0, 25)).reduce(
    (number, digit) => number * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  )
  return uuid.toString(16).padStart(32, "0")
}
