import { verifyEvent } from "@pixcharge/callback-fetch/receiver"
import type { EventKind, PixEvent } from "@pixcharge/core/charges"
import { expect, it } from "vitest"
import { encodeEventBody } from "../src/wire/EventBody.ts"
import { cents, chargeId, kinds, makeEvent, ofShop, txid } from "./everyKind.ts"
import { secret, signedHeaders } from "./receiver/requests.ts"

const each = Object.entries(kinds).map(
  ([kind, [facts, dados, isos]]) => [kind as EventKind, facts, dados, isos] as const,
)

const empresa = { cnpj: "12345678000195", nome: "Minha Loja" }

const receive = (event: PixEvent, body: string) => {
  const headers = signedHeaders(body, { id: event.id })
  return verifyEvent({ header: (name) => headers[name], body }, [secret])
}

it.each(each)("sends and receives an event %s with all its fields", (kind, facts, dados, isos) => {
  const event = makeEvent(kind, facts)
  const body = encodeEventBody(event, ["paid", kind, "expired"])
  const sent = JSON.stringify({ timestamp: "2027-03-22T12:00:00.000Z", dados: { empresa, ...dados } }).slice(1)
  expect(body.slice(body.indexOf('"timestamp"'))).toBe(sent)
  expect(receive(event, body)).toEqual({ ...event, occurredAtIso: "2027-03-22T12:00:00.000Z", ...isos })
})

it.each([[["paid"]], [[]]] as const)(
  "sends `pix.pago` without further fields to an endpoint of the kinds %j",
  (chosen) => {
    const [facts] = kinds.paid
    const event = makeEvent("paid", facts)
    const body = encodeEventBody(event, chosen)
    const first = '{"id":"evt_1_paid","tipo":"pix.pago","timestamp":"2027-03-22T12:00:00.000Z","dados":{"empresa":'
    const owner = '{"cnpj":"12345678000195","nome":"Minha Loja"},"pagamento":{"idFaturaPag":'
    const paid = '"93768cbb-479d-4da3-8899-231fd09dc551","txid":"8qaavrlv2t73","endToEndId":"E1","valor":49.9}}}'
    expect(body).toBe(first + owner + paid)
    const usual = { payment: { chargeId, txid, endToEndId: "E1", amountCents: cents } }
    expect(receive(event, body)).toEqual({ ...makeEvent("paid", usual), occurredAtIso: "2027-03-22T12:00:00.000Z" })
  },
)

it("ignores metadata that isn't texts by name", () => {
  const event = makeEvent("paid", kinds.paid[0])
  const body = encodeEventBody(event, ["paid", "refunded"])
  for (const metadados of ['["a"]', '{"a":1}', "null", '"a"']) {
    const received = receive(event, body.replace(JSON.stringify(ofShop.metadata), metadados))
    expect(received).toMatchObject({ payment: { reference: "pedido 7" } })
    expect(received).not.toHaveProperty("payment.metadata")
  }
})

it("sends the further fields of `pix.pago` to an endpoint that names more kinds than `paid`", () => {
  const body = encodeEventBody(makeEvent("paid", kinds.paid[0]), ["paid", "refunded"])
  expect(JSON.parse(body)).toMatchObject({ dados: { foraDoPrazo: true, valorDiferente: false } })
})
