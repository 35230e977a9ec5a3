import { randomUUID } from "node:crypto"
import { memoryDirectory } from "@pixcharge/store-memory"
import { portal } from "@pixcharge/portal"
import { type TestPix, testPix, testReceiver } from "@pixcharge/testing"
import { onTestFinished } from "vitest"
import { payer, rights } from "./portalHost.ts"

export const shop = "12345678000195"

/** Issues the charges of a day. Some are paid, some are paid twice, and some expire. */
const aDay = async (pix: TestPix, charges: number, cents: number): Promise<void> => {
  for (let index = 0; index < charges; index++) {
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: cents + index * 137, payer })
    await pix.clock.advance(`${40 + index * 70} seconds`)
    if (index % 3 < 2) await pix.pay(id)
    if (index % 5 === 4) await pix.payTwice(id)
    await pix.clock.advance("47 minutes")
  }
}

/** The number of charges of each day, and their smallest amount. */
type Days = ReadonlyArray<readonly [charges: number, cents: number]>

/** A shop with charges, exceptions and events, and its portal; every user is Ana. */
export const operatedShop = async (days: Days) => {
  const receiver = await testReceiver()
  onTestFinished(receiver.dispose)
  const company = {
    cnpj: shop,
    name: "Padaria Aurora",
    city: "Recife",
    pixKey: "padaria@example.com",
    integratorKey: "key-of-the-test-company",
    graceDays: 5,
    callback: receiver.callback,
  }
  const pix = testPix({ company, directory: memoryDirectory({ companies: [company] }) })
  onTestFinished(pix.dispose)
  for (const [charges, cents] of days) {
    await aDay(pix, charges, cents)
    await pix.clock.advance("20 hours")
  }
  const app = portal(pix, {
    authorize: () => ({ who: "ana@padaria.example", companies: [{ cnpj: shop, name: "Padaria Aurora" }], rights }),
  })
  return { pix, app, receiver }
}
