import { sha256 as hash } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** Hexadecimal. Web Crypto is asynchronous. */
export const sha256 = (text: string): string => bytesToHex(hash(utf8ToBytes(text)))
