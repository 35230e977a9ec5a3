import type { Call } from "@pixcharge/adapter-tests/conformance"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { bodyText } from "./generateCall.ts"
import { payerWord, tenants } from "./tenants.ts"

const alphabet = [..."0123456789abcdefghijklmnopqrstuvwxyz"] as ["0"]

const letters = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => random.pick(alphabet)).join("")

const payment = (random: SeededRandom) => ({
  endToEndId: `E12345678202611201200${letters(random, 11)}`,
  ...(random.chance(0.8) && { txid: letters(random, 32) }),
  valor: "10.00",
  horario: "2026-11-20T12:00:00.000Z",
  chave: tenants[0].company.pixKey,
  infoPagador: `De Maria ${payerWord}`,
  ...(random.chance(0.2) && {
    devolucoes: [{ id: "1", rtrId: `D12345678202611201200${letters(random, 11)}`, valor: "1.00", status: "DEVOLVIDO" }],
  }),
})

const hexadecimal = "0123456789abcdef".repeat(2)

/** A notice of the bank, or of a sender that pretends to be the bank. `{notices}` stands for the registered path. */
export const generateNotice = (random: SeededRandom): Call => {
  const path = random.pick([
    "{notices}",
    "{notices}/pix",
    "{notices}/pix/",
    "{notices}0/pix",
    "{notices}/pix?hmac=1",
    "/webhooks/api-pix",
    "/webhooks/api-pix/pix",
    `/webhooks/api-pix/${tenants[0].cnpj}/${hexadecimal}/pix`,
    `/webhooks/api-pix/${tenants[1]?.cnpj}/${hexadecimal}`,
  ])
  const count = random.chance(0.05) ? 1_500 : random.between(0, 20)
  const body = bodyText(random, { pix: Array.from({ length: count }, () => payment(random)) })
  return { method: random.chance(0.95) ? "POST" : random.pick(["GET", "PUT", "OPTIONS", "HEAD"]), path, body }
}
