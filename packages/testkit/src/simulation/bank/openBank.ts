import { Bank, type BankChance, type BankWays, type LedgerPayment, standardWays } from "@pixcharge/simulated-bank"
import { worldCompanies } from "../../fixtures/EventWorld.ts"
import type { Fate, Fates } from "../Fates.ts"
import { nameOf } from "../../judge/names.ts"
import { endToEndId } from "../names.ts"
import type { Timeline } from "../World.ts"

const longestBlockMs = 2 * 3_600_000

/** What each company gives to the bank, wherever the bank wants it. */
export const credentials = {
  clientSecret: "secret",
  applicationKey: "application key",
  account: "1234567",
}

export const clientId = (cnpj: string): string => `client-${cnpj}`

const accounts = worldCompanies.map(({ cnpj, name, pixKey }) => ({
  cnpj,
  name,
  pixKeys: [pixKey],
  ...credentials,
  clientId: clientId(cnpj),
  accountNumber: credentials.account,
}))

/** How long something takes that is slow now and then. */
const slowness = (fate: Fate, isSlow: boolean, longestMs: number): number =>
  isSlow ? fate.random.between(1_000, longestMs) : 0

/** Time is the world's, and what is slow or goes wrong is its fates'. */
const makeChance = (world: Timeline, fates: Fates, settlesAtOnce: boolean): BankChance => {
  const counts = { E: 0, D: 0, text: 0 }
  return {
    now: () => world.now,
    after: (ms, happens) => world.after(ms, happens),
    text: (length) => (++counts.text).toString(36).padStart(length, "0"),
    id: (letter) => (letter === "E" ? endToEndId(++counts.E) : `D${String(++counts.D).padStart(31, "0")}`),
    makingMs: (txid) => {
      const fate = fates.next(`bank makes ${nameOf(txid)}`)
      return slowness(fate, fate.suffers("bank", "slow", 2), 90_000)
    },
    returnFate: ({ endToEndId: of, id }) => {
      const name = `${nameOf(of)} by ${id.slice(-2)}`
      const fate = fates.next(`bank returns ${name}`)
      if (fate.suffers("returns", "refused", 2)) {
        return { blockedMs: fate.random.pick([0, 0, 0, 0, 0, longestBlockMs]) }
      }
      const isDenied = fates.next(`bank denies the return of ${name}`).suffers("returns", "denied")
      const makingMs = slowness(fate, fate.suffers("returns", "slow", 3) || isDenied, 180_000)
      const isRejected = fate.suffers("returns", "rejected", 2)
      return { isDenied, makingMs, isRejected, settlingMs: settlesAtOnce ? 0 : fate.random.between(100, 600_000) }
    },
  }
}

/** The bank of a simulated world, which notes what becomes of charges and money; `tell` is told of the money. */
export const openBank = (
  world: Timeline,
  fates: Fates,
  ways: Partial<BankWays>,
  tell: (payment: LedgerPayment) => void,
): Bank => {
  const bank = new Bank(
    accounts,
    { ...standardWays(), ...ways },
    makeChance(world, fates, ways.returnPace === "atOnce"),
  )
  bank.onCharge = ({ txid, status, terms }) =>
    world.note("bank", `${nameOf(txid)} is ${status} for ${terms.amountCents} cents`)
  bank.onMoney = (payment, returned) => {
    const { endToEndId: id, txid, amountCents } = payment
    const purpose = txid === undefined ? "to the key" : `for ${nameOf(txid)}`
    const what =
      returned === undefined
        ? `payment ${nameOf(id)} of ${amountCents} cents ${purpose}`
        : `${returned.kind} of ${returned.amountCents} cents of ${nameOf(id)} is ${returned.status}`
    world.note("bank", what)
    tell(payment)
  }
  return bank
}
