import { EfiPay } from "sdk-node-apis-efi"
import { answerLines } from "./answerLines.mjs"

const { CERT, KEY } = process.env
const terms = { sandbox: true, client_id: "loja", client_secret: "secret", certificate: CERT, pemKey: KEY }
await answerLines(new EfiPay({ ...terms, validateMtls: false }))
