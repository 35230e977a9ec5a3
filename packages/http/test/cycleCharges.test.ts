import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"

it("answers queries, payments and refunds of a cycle's charge as for an unknown charge", async () => {
  await using pix = testPix({ recurrences: true })
  const { cnpj } = pix.company
  const { id } = await pix.recurrences.offer(cnpj, {
    id: randomUUID(),
    payer: { name: "Ana Souza", taxId: "529.982.247-25" },
    title: "Academia",
    period: "monthly",
    startDate: "2027-03-20",
    amountCents: 4_990,
    journey: { by: "code" },
  })
  await pix.recurrences.play(cnpj, id, "approve")
  await pix.clock.advance("22 days")
  const [charge] = (await pix.recurrences.charges(cnpj, id)).items
  expect(charge?.status).toBe("paid")

  const call = async (method: string, path: string, headers = {}) =>
    pix.fetch(new Request(`http://localhost/api${path}`, { method, headers }))
  const { data } = (await (await call("GET", `/token/${pix.secret}`)).json()) as { readonly data: string }
  const authorization = `Bearer ${data}`
  for (const [method, path] of [
    ["GET", "/pix/"],
    ["DELETE", "/pix/"],
    ["POST", "/pix/simular-pagamento/"],
  ] as const) {
    const [unknown, known] = await Promise.all(
      [randomUUID(), charge?.id].map((each) => call(method, `${path}${each}`, { authorization })),
    )
    expect([method, known?.status, await known?.json()]).toEqual([method, unknown?.status, await unknown?.json()])
  }
  expect((await pix.find(cnpj, charge?.id ?? "")).status).toBe("paid")
})
