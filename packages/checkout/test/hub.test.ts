import { parseCnpj } from "@pixcharge/core/party"
import { memoryDirectory } from "@pixcharge/store-memory"
import * as Result from "effect/Result"
import { stopClock } from "@pixcharge/verify/clock"
import { beforeEach, describe, expect, it } from "vitest"
import type { CheckoutOptions } from "../src/checkout.ts"
import { type Binding, bindings, byExpress } from "./bindings.ts"
import { company } from "./company.ts"
import { openEvents, type OpenEvents } from "./openEvents.ts"
import { checkoutWorld, passAnswered } from "./world.ts"

const dayMs = 86_400_000

beforeEach(stopClock)

const otherCompanies = (count: number) =>
  Array.from({ length: count * 100 }, (_, index) => String(11_222_333_000_100 + index))
    .filter((text) => Result.isSuccess(parseCnpj(text)))
    .slice(0, count)
    .map((cnpj) => ({ ...company, cnpj, pixKey: cnpj, integratorKey: `key of ${cnpj}` }))

const makeWorld = async (others: ReturnType<typeof otherCompanies>, options: Partial<CheckoutOptions> = {}) => {
  const world = checkoutWorld(options, { directory: memoryDirectory({ companies: [company, ...others] }) })
  const charges = [company, ...others].map(async ({ cnpj: issuer }) => {
    const id = await world.issue({ issuer })
    return { issuer, id, state: `${await world.makePath(id, 30 * dayMs, issuer)}/estado` }
  })
  const fetchStatus = async ({ state }: { readonly state: string }) =>
    (await world.call("GET", state, { accept: "application/json" }))?.status
  return { ...world, charges: await Promise.all(charges), fetchStatus }
}

const statuses = (page: OpenEvents) => page.events().map(({ data = "{}" }) => JSON.parse(data).status as string)

const readLast = (page: OpenEvents) => JSON.parse(page.events().at(-1)?.["data"] ?? "{}")

const awaitStatus = (page: OpenEvents, status: string) => page.until(() => statuses(page).at(-1) === status)

const passUntil = (page: OpenEvents, holds: () => boolean) => page.until(holds, () => passAnswered(1))

const passUntilStatus = (page: OpenEvents, status: string) => passUntil(page, () => statuses(page).at(-1) === status)

const livePage = async (mount: Binding) => {
  const { pix, issue, makePath } = checkoutWorld()
  const id = await issue()
  const state = `${await mount(pix)}${await makePath(id)}/estado`
  const page = await openEvents(state)
  expect(page.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "access-control-allow-origin": "*",
  })
  await awaitStatus(page, "pendente")
  expect(page.text()).toMatch(/^retry: [2-4]\d{3}\n\n/)
  const [{ id: first = "" } = {}] = page.events()
  // After a reconnect, a page gets the missed events without a repeat.
  const back = await openEvents(state, { lastEventId: first })
  const other = await openEvents(state, { lastEventId: "something else" })
  await awaitStatus(other, "pendente")
  await pix.pay(id)
  await passUntilStatus(page, "pago")
  expect(await page.ended).toBe("ended")
  await awaitStatus(back, "pago")
  expect(statuses(back)).toEqual(["pago"])
  expect(readLast(page)).toMatchObject({ final: true, pagamento: { valor: 10_000, atrasado: false } })
  const missed = await openEvents(state, { lastEventId: first })
  await awaitStatus(missed, "pago")
  const again = await openEvents(state, { lastEventId: page.events().at(-1)?.["id"] ?? "" })
  expect(again.status).toBe(204)
  expect(again.headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "no-store" })
  await pix.dispose()
}

it("sends an open page its state and its payment, and ends the stream, through each binding", async () => {
  for (const [name, mount] of bindings)
    await livePage(mount).catch((cause: unknown) => {
      throw new Error(`through ${name}`, { cause })
    })
})

describe("open pages", () => {
  it("looks up 50 charges once per round for 500 open pages, until the pages close", async () => {
    const { pix, log, issue, makePath } = checkoutWorld()
    const mount = await byExpress(pix)
    const ids = await Promise.all(Array.from({ length: 50 }, () => issue()))
    const paths = await Promise.all(ids.map((id) => makePath(id)))
    log.finds.length = 0
    const opened = performance.now()
    const pages = await Promise.all(
      Array.from({ length: 500 }, (_, index) => openEvents(`${mount}${paths[index % 50]}/estado`)),
    )
    await Promise.all(pages.map((page) => awaitStatus(page, "pendente")))
    await passAnswered(3)
    const rounds = (performance.now() - opened) / 1_000 + 1
    const whole = log.lookUps.filter((count) => count === 50).length
    expect(whole).toBeGreaterThan(0)
    expect(log.lookUps.length).toBeLessThanOrEqual(rounds + 50)
    expect(whole).toBeLessThanOrEqual(rounds)
    const [paid = ""] = ids
    await pix.pay(paid)
    const its = pages.filter((_, index) => index % 50 === 0)
    await passUntilStatus(its[0]!, "pago")
    await Promise.all(its.map((page) => awaitStatus(page, "pago")))
    expect(pages.filter((page) => statuses(page).length > 1)).toHaveLength(10)
    expect(log.finds.filter((id) => id !== paid)).toEqual([])
    for (const page of pages) page.close()
    // The hub watches polled charges for some more seconds.
    const countRounds = async () => {
      const before = log.lookUps.length
      await passAnswered(12)
      return log.lookUps.length - before
    }
    await expect.poll(countRounds).toBe(0)
    await pix.dispose()
  })

  it("sends new fees, the expiry and a late payment to an open page", async () => {
    const fees = {
      fine: { kind: "fixed", amountCents: 150 },
      interest: { kind: "fixedPerDay", amountCents: 10, days: "calendar" },
    } as const
    const { pix, issue, makePath } = checkoutWorld({}, { company: { fees, graceDays: 2 } })
    const mount = await byExpress(pix)
    const id = await issue({ dueDate: "2027-03-08" })
    const page = await openEvents(`${mount}${await makePath(id, 300 * dayMs)}/estado`)
    await awaitStatus(page, "pendente")
    expect(readLast(page).valores).toMatchObject({ multa: 0, juros: 0, total: 10_000 })
    await pix.clock.advance("3 hours")
    // Only `agora` changes. The page needs it for its countdown.
    await passUntil(page, () => readLast(page).agora === pix.clock.now())
    await pix.clock.advance("8 days")
    await passUntil(page, () => readLast(page).valores?.total === 10_160)
    expect(readLast(page)).toMatchObject({
      status: "pendente",
      agora: pix.clock.now(),
      valores: { multa: 150, juros: 10 },
    })
    await pix.clock.advance("2 days")
    await passUntilStatus(page, "expirado")
    expect(readLast(page)).toMatchObject({ final: false, valores: { total: 10_170 } })
    expect(readLast(page)).not.toHaveProperty("brCode")
    await pix.payLate(id, { days: 3 })
    await passUntilStatus(page, "pago")
    expect(readLast(page)).toMatchObject({ final: true, pagamento: { atrasado: true } })
    await pix.dispose()
  })

  it("never reports a paid charge as expired", async () => {
    const { pix, issue, makePath } = checkoutWorld()
    const mount = await byExpress(pix)
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => issue()))
    const pages = await Promise.all(ids.map(async (id) => openEvents(`${mount}${await makePath(id)}/estado`)))
    await Promise.all(pages.map((page) => awaitStatus(page, "pendente")))
    await Promise.all(ids.map((id) => pix.pay(id)))
    await pix.clock.advance("1 hour")
    for (const page of pages) await passUntilStatus(page, "pago")
    expect(new Set(pages.flatMap(statuses))).toEqual(new Set(["pendente", "pago"]))
    await pix.dispose()
  })

  it("ends the stream of a page when its link expires", async () => {
    const { pix, issue, makePath } = checkoutWorld()
    const mount = await byExpress(pix)
    const id = await issue({ dueDate: "2027-03-08" })
    const [short, long] = [await makePath(id, dayMs), await makePath(id, 2 * dayMs)]
    const [first, second] = [await openEvents(`${mount}${short}/estado`), await openEvents(`${mount}${long}/estado`)]
    await pix.clock.advance("1 day")
    await passUntil(first, first.hasEnded)
    expect(second.hasEnded()).toBe(false)
    expect((await openEvents(`${mount}${short}/estado`)).status).toBe(410)
    await pix.dispose()
  })

  it("keeps streams open while the store is down, and sends the missed changes afterwards", async () => {
    const { pix, log, issue, makePath } = checkoutWorld()
    const mount = await byExpress(pix)
    const id = await issue()
    const page = await openEvents(`${mount}${await makePath(id)}/estado`)
    await awaitStatus(page, "pendente")
    await pix.pay(id)
    log.isDown = true
    await passUntil(page, () => log.failures >= 3 || statuses(page).at(-1) === "pago")
    log.isDown = false
    const [before, back] = [log.lookUps.length, performance.now()]
    await passUntil(page, () => log.lookUps.length > before || statuses(page).at(-1) === "pago")
    // Even after a long outage, the code of a paid charge must disappear soon.
    expect(performance.now() - back).toBeLessThan(6_500)
    await passUntilStatus(page, "pago")
    expect(page.events().length).toBe(2)
    await pix.dispose()
  })

  it("opens and updates pages of healthy companies while the look-up for one company fails", async () => {
    const { pix, log, charges, makePath, issue, fetchStatus } = await makeWorld(otherCompanies(9))
    const mount = await byExpress(pix)
    const open = ({ state }: (typeof charges)[0]) => openEvents(`${mount}${state}`)
    const [own, other] = charges as [(typeof charges)[0], (typeof charges)[0]]
    const seen = await open(other)
    await awaitStatus(seen, "pendente")
    const unseen = await issue({ issuer: other.issuer })
    const failing = { ...other, state: `${await makePath(unseen, dayMs, other.issuer)}/estado` }
    log.down.add(other.issuer)
    const answered = await Promise.all([...charges, failing].map(fetchStatus))
    expect(answered).toEqual([...charges.map(() => 200), 503])
    const page = await open(own)
    await pix.pay(own.id)
    // Polls like the page that didn't open.
    while (statuses(page).at(-1) !== "pago") {
      await fetchStatus(failing)
      await passAnswered(1)
    }
    await pix.simulatePayment(other.issuer, other.id)
    const known = log.lookUps.length
    await passUntil(seen, () => log.lookUps.length > known + 2)
    expect(statuses(seen)).toEqual(["pendente"])
    log.down.delete(other.issuer)
    await passUntilStatus(seen, "pago")
    expect(await fetchStatus(failing)).toBe(200)
    await pix.dispose()
  })

  it("makes few look-ups for pages that open while the store is down", async () => {
    const { pix, log, charges, fetchStatus } = await makeWorld(otherCompanies(40))
    log.isDown = true
    expect(new Set(await Promise.all(charges.map(fetchStatus)))).toEqual(new Set([503]))
    // One look-up for the first charge, one for all other charges, then one for each of eight companies.
    expect(log.lookUps.length).toBeLessThanOrEqual(1 + 1 + 8)
    await pix.dispose()
  })

  it("gives a company at most half of all streams, and answers polls of its other pages", async () => {
    const { pix, charges, makePath, issue, fetchStatus } = await makeWorld(otherCompanies(2), { maxStreams: 50 })
    const mount = await byExpress(pix)
    const open = async (state: string, count: number) => {
      const pages = await Promise.all(Array.from({ length: count }, () => openEvents(`${mount}${state}`)))
      return { pages, refusals: pages.map(({ status }) => status).filter((status) => status !== 200) }
    }
    const [greedy, other, third] = charges.map(({ state }) => state) as [string, string, string]
    const another = `${await makePath(await issue())}/estado`
    expect((await open(greedy, 20)).refusals).toEqual([])
    expect((await open(another, 20)).refusals).toEqual(Array(15).fill(429))
    const { pages, refusals } = await open(other, 20)
    expect(refusals).toEqual([])
    expect((await open(third, 6)).refusals).toEqual([503])
    expect(await fetchStatus({ state: another })).toBe(200)
    const [, { issuer = "", id = "" } = {}] = charges
    await pix.simulatePayment(issuer, id)
    await Promise.all(pages.map((page) => passUntilStatus(page, "pago")))
    expect((await open(third, 2)).refusals).toEqual([])
    await pix.dispose()
  })

  it("gives a charge at most twenty streams, and answers polls without a look-up for each", async () => {
    const { pix, log, issue, makePath, call } = checkoutWorld({ maxStreams: 50 })
    const mount = await byExpress(pix)
    const [one, other] = [await makePath(await issue()), await makePath(await issue())]
    const open = (path: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => openEvents(`${mount}${path}/estado`)))
    const first = await open(one, 22)
    expect(first.map(({ status }) => status).filter((status) => status !== 200)).toEqual([429, 429])
    expect(first.find(({ status }) => status === 429)?.headers["retry-after"]).toBe("5")
    const tooMany = { erro: expect.stringMatching(/^Há páginas demais abertas .* em JSON/) }
    const refused = first.find(({ status }) => status === 429)
    await refused?.ended
    expect(JSON.parse(refused?.text() ?? "")).toEqual(tooMany)
    const before = log.lookUps.length
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call("GET", `${other}/estado`, { accept: "application/json" })),
    )
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]))
    expect(log.lookUps.length - before).toBeLessThanOrEqual(2)
    first.find(({ status }) => status === 200)?.close()
    await expect.poll(async () => (await open(one, 1))[0]?.status).toBe(200)
    await pix.dispose()
  })

  it("ends streams when the instance is disposed of, and leaves no work running", async () => {
    const { pix, log, issue, makePath } = checkoutWorld()
    const mount = await byExpress(pix)
    const path = await makePath(await issue())
    const page = await openEvents(`${mount}${path}/estado`)
    await awaitStatus(page, "pendente")
    await pix.dispose()
    expect(await page.ended).toBe("ended")
    const before = log.lookUps.length
    await passAnswered(20)
    expect(log.lookUps).toHaveLength(before)
    expect((await openEvents(`${mount}${path}/estado`)).status).toBe(503)
  })
})
