// A Brazilian software house's client for Sicredi.
import data7 from "data7-pix"
import { answerLines } from "./answerLines.mjs"

const { CERT, KEY } = process.env
const terms = { sandbox: true, client_id: "loja", client_secret: "secret", cert_path: CERT, key_path: KEY }
await answerLines(data7.PixSicredi.config({ ...terms, chave_pix: "loja@example.com" }))
