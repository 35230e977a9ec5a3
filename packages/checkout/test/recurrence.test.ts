import type { Recurrence } from "@pixcharge/core/recurrence"
import { memoryDirectory } from "@pixcharge/store-memory"
import { anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { company } from "./company.ts"
import { authorizingCode, recurrenceWorld } from "./recurrenceWorld.ts"
import { url } from "./world.ts"

const dayMs = 86_400_000

const readWords = (html: string): string =>
  (/<main.*<\/main>/s.exec(html)?.[0] ?? "").replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")

describe("the page of a recurrence", () => {
  it("shows payee, amount, start date and code, and no data of the payer", async () => {
    const { pix, offer, pathTo, get } = recurrenceWorld()
    await using _ = pix
    const path = await pathTo(await offer({ retries: "threeInSeven", endDate: "2028-03-19" }))
    const { status, text } = await get(path)
    expect(status).toBe(200)
    const words = readWords(text)
    expect(words).toContain("Autorize o Pix Automático Clube do livro Valor R$ 49,90 por mês Recebedor")
    expect(words).toContain("Aguardando sua autorização")
    expect(words).toContain("Primeira cobrança a partir de 20/03/2027 Nenhum ciclo começa depois de 19/03/2028")
    expect(words).toContain("Se o débito falhar até 3 novas tentativas em 7 dias")
    expect(text).toContain(`>${authorizingCode}</textarea>`)
    expect(text).toMatch(/<noscript>[^]*Já autorizei: atualizar a página/)
    expect(text).not.toMatch(/Canario|52998224725/)
    const picture = await get(`${path}/qr.svg`)
    expect([picture.status, picture.type]).toEqual([200, "image/svg+xml"])
    expect((await get(`${path}/qr.png`)).type).toBe("image/png")
    for (const other of ["/comprovante", "/novo", "/x"]) expect((await get(path + other)).status, other).not.toBe(200)
  })

  it.each([
    ["weekly", "R$ 49,90 por semana"],
    ["quarterly", "R$ 49,90 por trimestre"],
    ["halfYearly", "R$ 49,90 por semestre"],
    ["yearly", "R$ 49,90 por ano"],
  ] as const)("names the period: %s", async (period, expected) => {
    const { pix, offer, pathTo, get } = recurrenceWorld()
    await using _ = pix
    expect(readWords((await get(await pathTo(await offer({ period })))).text)).toContain(expected)
  })

  it("says that the amount varies, and shows the lowest maximum that the payer can set", async () => {
    const { pix, offer, pathTo, get } = recurrenceWorld()
    await using _ = pix
    const words = readWords((await get(await pathTo(await offer({ amountCents: undefined, floorCents: 10_000 })))).text)
    expect(words).toContain("por mês, valor informado a cada cobrança")
    expect(words).toContain("ele precisa ser de pelo menos R$ 100,00")
  })

  it("refers to the bank's app if the bank sends the request", async () => {
    const { pix, offer, pathTo, get } = recurrenceWorld()
    await using _ = pix
    const until = new Date(pix.clock.now() + 5 * dayMs).toISOString()
    const journey = { by: "bank", ispb: "12345678", account: "1234", until } as const
    const path = await pathTo(await offer({ journey }))
    const { text } = await get(path)
    expect(readWords(text)).toContain("Autorize no app do seu banco")
    expect(readWords(text)).toContain("O pedido vale até 06/03/2027 às 12:00, horário de Brasília")
    expect(text).not.toContain("<textarea")
    expect((await get(`${path}/qr.svg`)).status).toBe(404)
  })

  it("shows the authorisation and the end while it is open, and removes the code", async () => {
    const { pix, offer, approve, end, pathTo, get } = recurrenceWorld()
    await using _ = pix
    const offered = await offer()
    const path = await pathTo(offered)
    const read = async () =>
      JSON.parse((await get(`${path}/estado`, "application/json")).text) as Record<string, unknown>
    const first = await read()
    expect(first).toMatchObject({ status: "oferecida", final: false, brCode: authorizingCode })
    const stream = await pix.fetch(new Request(`https://x${path}/estado`, { headers: { accept: "text/event-stream" } }))
    const events = new TextDecoderStream()
    void stream.body?.pipeTo(events.writable as WritableStream<Uint8Array>).catch(() => undefined)
    const approved = await approve(offered)
    let received = ""
    for await (const text of events.readable) received += text
    expect(received).toContain('"status":"oferecida"')
    expect(received).toContain('"status":"autorizada","final":true')
    const words = readWords((await get(path)).text)
    expect(words).toContain("Pix Automático autorizado")
    expect(words).toContain("As próximas cobranças serão debitadas da sua conta")
    expect((await get(`${path}/qr.svg`)).status).toBe(404)
    await end(approved, "ended")
    await expect.poll(async () => (await read())["status"]).toBe("encerrada")
    expect(readWords((await get(path)).text)).toContain("Recorrência encerrada")
  })

  it("shows the authorisation while another company's recurrences can't be read", async () => {
    const other = { ...company, cnpj: anotherCnpj, pixKey: anotherCnpj, integratorKey: "key of the other" }
    const directory = memoryDirectory({ companies: [company, other] })
    const { pix, down, offer, approve, pathTo } = recurrenceWorld({}, { directory })
    await using _ = pix
    const open = async (offered: Recurrence) => {
      const request = new Request(`https://x${await pathTo(offered)}/estado`, {
        headers: { accept: "text/event-stream" },
      })
      return (await pix.fetch(request)).body?.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>
    }
    await open(await offer({}, undefined, anotherCnpj))
    down.add(anotherCnpj)
    const offered = await offer()
    const page = await open(offered)
    await approve(offered)
    let received = ""
    for await (const text of page) received += text
    expect(received).toContain('"status":"autorizada","final":true')
  })

  it.each([
    ["declined", "Autorização recusada"],
    ["expired", "Autorização expirada"],
    ["refused", "Autorização indisponível"],
  ] as const)("shows how an offer ended: %s", async (reason, expected) => {
    const { pix, offer, end, pathTo, get } = recurrenceWorld()
    await using _ = pix
    const { text } = await get(await pathTo(await end(await offer(), reason)))
    expect(readWords(text)).toContain(expected)
    expect(text).not.toContain("<textarea")
  })
})

describe("the page of a recurrence that a payment authorises", () => {
  const payFirst = async (charge: object = {}) => {
    const world = recurrenceWorld()
    const { pix, issuer, offer } = world
    const { id } = await pix.issue(issuer, { id: randomUUID(), amountCents: 1_000, ...charge })
    const { dueDate } = charge as { dueDate?: string }
    const offered = await offer({}, { by: "payment", chargeId: id, ...(dueDate && { dueDate }) } as never)
    return { ...world, id, offered, path: await world.pathTo(offered) }
  }

  it("asks for the payment first", async () => {
    const { pix, path, get } = await payFirst()
    await using _ = pix
    const { text } = await get(path)
    expect(readWords(text)).toContain("Pagar e autorizar Clube do livro Agora R$ 10,00 Depois, R$ 49,90 por mês")
    expect(readWords(text)).toContain("Pague até 01/03/2027 às 12:10, horário de Brasília")
    expect(text).toContain(authorizingCode)
  })

  it("hides the code after the payment, and doesn't claim an authorisation before it exists", async () => {
    const { pix, id, offered, path, approve, get } = await payFirst()
    await using _ = pix
    await pix.pay(id)
    const paid = await get(path)
    expect(readWords(paid.text)).toContain("Pagamento recebido. O banco ainda não confirmou a autorização")
    expect(paid.text).not.toContain("<textarea")
    await approve(offered)
    await expect.poll(async () => (await get(path)).text).toContain("Pix Automático autorizado")
    expect(readWords((await get(path)).text)).toContain("O pagamento foi recebido. As próximas cobranças")
  })

  it("confirms the payment if the payer declined the recurrence", async () => {
    const { pix, id, offered, path, end, get } = await payFirst({ dueDate: "2027-03-10" })
    await using _ = pix
    expect(readWords((await get(path)).text)).toContain("Vencimento 10/03/2027")
    await pix.pay(id)
    await end(offered, "declined")
    await expect.poll(async () => (await get(path)).text).toContain("Autorização recusada")
    expect(readWords((await get(path)).text)).toContain("O pagamento foi recebido. A recorrência não foi autorizada")
  })

  it("shows the charge's own code if the payer authorised but hasn't paid", async () => {
    const { pix, issuer, id, offered, path, approve, get } = await payFirst({ dueDate: "2027-03-10" })
    await using _ = pix
    await approve(offered)
    const { text } = await get(path)
    expect(readWords(text)).toContain("falta o pagamento")
    expect(text).toContain(`>${(await pix.find(issuer, id)).brCode}</textarea>`)
  })

  it("hides the code after its charge has expired", async () => {
    const { pix, path, get } = await payFirst()
    await using _ = pix
    expect((await get(path)).text).toContain("<textarea")
    await pix.clock.advance("11 minutes")
    await expect.poll(async () => (await get(path)).text).toContain("terminou")
    expect((await get(path)).text).not.toContain("<textarea")
  })
})

describe("a link to a recurrence", () => {
  it("makes a link that is valid for 30 days by default, and for a year at most", async () => {
    const { pix, issuer, offer, get } = recurrenceWorld()
    await using _ = pix
    const { id } = await offer()
    const path = (await pix.checkout.recurrenceLink(issuer, id)).slice(url.length)
    await pix.clock.advance("30 days")
    expect((await get(path)).status).toBe(200)
    await pix.clock.advance("1 day")
    expect((await get(path)).status).toBe(410)
    const latest = pix.clock.now() + 366 * dayMs
    expect(await pix.checkout.recurrenceLink(issuer, id, { expiresAt: latest })).toContain("/pagar/")
    for (const expiresAt of [latest + 1, pix.clock.now(), 1.5]) {
      const refused = pix.checkout.recurrenceLink(issuer, id, { expiresAt })
      await expect(refused).rejects.toMatchObject({ _tag: "InvalidLink", issuer, id, latest })
    }
  })

  it("makes a link only for a recurrence of the company, which differs from the link of a charge with the same id", async () => {
    const { pix, issuer, offer, pathTo, get } = recurrenceWorld()
    await using _ = pix
    await expect(pix.checkout.recurrenceLink(issuer, randomUUID())).rejects.toMatchObject({
      _tag: "RecurrenceNotFound",
    })
    await expect(pix.checkout.recurrenceLink(issuer, "x")).rejects.toMatchObject({ _tag: "InvalidRecurrenceId" })
    const offered = await offer()
    // A charge can have the same id as a recurrence.
    await pix.issue(issuer, { id: offered.id, amountCents: 100 })
    const toCharge = (await pix.checkout.link(issuer, offered.id)).slice(url.length)
    expect(readWords((await get(toCharge)).text)).toContain("Pague com Pix")
    expect(readWords((await get(await pathTo(offered))).text)).toContain("Autorize o Pix Automático")
  })

  it("doesn't make a link for a cycle's charge, and names the recurrence in the error", async () => {
    const { pix, issuer, offer, approve, chargeCycle } = recurrenceWorld()
    await using _ = pix
    const approved = await approve(await offer())
    const id = await chargeCycle(approved)
    const refused = pix.checkout.link(issuer, id)
    await expect(refused).rejects.toMatchObject({ _tag: "ChargeWithoutPage", id, recurrenceId: approved.id })
  })
})
