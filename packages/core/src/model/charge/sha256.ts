import { sha256 as hash } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** SHA-256 of a text in UTF-8, in 64 hexadecimal digits: the core knows no platform's crypto, and its decisions can't wait for the web's. */
export const sha256 = (text: string): string => bytesToHex(hash(utf8ToBytes(text)))
