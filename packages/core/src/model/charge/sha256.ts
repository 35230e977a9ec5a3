import { sha256 as hash } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** SHA-256 of a text in UTF-8, in hexadecimal. Web Crypto is asynchronous. */
export const sha256 = (text: string): string => bytesToHex(hash(utf8ToBytes(text)))
