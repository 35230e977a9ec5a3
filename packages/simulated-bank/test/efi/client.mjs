// Efí's SDK in a process of its own, as its users have it: makes the call that a line names, and writes what came of it.
import { createInterface } from "node:readline"
import { EfiPay } from "sdk-node-apis-efi"

const { CERT, KEY } = process.env
const efi = new EfiPay({
  sandbox: true,
  client_id: "loja",
  client_secret: "secret",
  certificate: CERT,
  pemKey: KEY,
  validateMtls: false,
})

for await (const line of createInterface(process.stdin)) {
  const { method, args } = JSON.parse(line)
  const came = await efi[method](...args).then(
    (answer) => ({ answer }),
    (refusal) => ({ refusal: refusal instanceof Error ? String(refusal) : refusal }),
  )
  process.stdout.write(`${JSON.stringify(came)}\n`)
}
