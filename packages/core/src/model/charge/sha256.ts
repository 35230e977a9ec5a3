import { sha256 as hash } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** A hash in hexadecimal. Doesn't use Web Crypto, which is asynchronous. */
export const sha256 = (text: string): string => bytesToHex(hash(utf8ToBytes(text)))
