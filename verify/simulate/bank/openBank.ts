import {
  Bank,
  type BankChance,
  type BankWays,
  type LedgerCharge,
  type LedgerPayment,
  standardWays,
} from "@pixcharge/simulated-bank"
import type { FaultDecision, FaultDecisions } from "../FaultDecisions.ts"
import { shortName } from "../judge/names.ts"
import { accountHolder, companyFacts, endToEndId } from "../names.ts"
import type { Timeline } from "../World.ts"

const maxBlockMs = 2 * 3_600_000

export const credentials = {
  clientSecret: "secret",
  applicationKey: "application key",
  account: "1234567",
}

export const noticeSecret = "the secret of the simulated world's webhooks"

export const clientId = (cnpj: string): string => `client-${cnpj}`

const accounts = companyFacts
  .filter(({ cnpj }) => accountHolder(cnpj) === cnpj)
  .map(({ cnpj: holder, name }) => ({
    cnpj: holder,
    name,
    pixKeys: companyFacts.filter(({ cnpj }) => accountHolder(cnpj) === holder).map(({ pixKey }) => pixKey),
    ...credentials,
    clientId: clientId(holder),
    accountNumber: credentials.account,
  }))

const slowness = (decision: FaultDecision, isSlow: boolean, maxMs: number): number =>
  isSlow ? decision.random.between(1_000, maxMs) : 0

interface BankSurroundings {
  readonly onCharge: (charge: LedgerCharge) => void
  readonly onMoney: (payment: LedgerPayment) => void
  readonly rejects: (endToEndId: string) => boolean
}

const makeChance = (
  world: Timeline,
  faults: FaultDecisions,
  settlesAtOnce: boolean,
  rejects: BankSurroundings["rejects"],
): BankChance => {
  const counts = { E: 0, D: 0, text: 0 }
  return {
    now: () => world.now,
    after: (ms, happens) => world.after(ms, happens),
    text: (length) => (++counts.text).toString(36).padStart(length, "0"),
    id: (letter) => (letter === "E" ? endToEndId(++counts.E) : `D${String(++counts.D).padStart(31, "0")}`),
    makingMs: (txid) => {
      const decision = faults.decideNext(`bank makes ${shortName(txid)}`)
      return slowness(decision, decision.hasFault("bank", "slow", 2), 90_000)
    },
    refusesChange: (txid) => faults.decideNext(`bank changes ${shortName(txid)}`).hasFault("bank", "change refused", 4),
    returnFate: ({ endToEndId: of, id }) => {
      const name = `${shortName(of)} by ${id.slice(-2)}`
      const decision = faults.decideNext(`bank returns ${name}`)
      if (decision.hasFault("returns", "refused", 2)) {
        return { blockedMs: decision.random.pick([0, 0, 0, 0, 0, maxBlockMs]) }
      }
      const isDenied = faults.decideNext(`bank denies the return of ${name}`).hasFault("returns", "denied")
      const makingMs = slowness(decision, decision.hasFault("returns", "slow", 3) || isDenied, 180_000)
      const isRejected = decision.hasFault("returns", "rejected", 2) || rejects(of)
      return { isDenied, makingMs, isRejected, settlingMs: settlesAtOnce ? 0 : decision.random.between(100, 600_000) }
    },
  }
}

export const openBank = (
  world: Timeline,
  faults: FaultDecisions,
  ways: Partial<BankWays>,
  { onCharge, onMoney, rejects }: BankSurroundings,
): Bank => {
  const bank = new Bank(
    accounts,
    { ...standardWays(), ...ways },
    makeChance(world, faults, ways.returnPace === "atOnce", rejects),
  )
  bank.onCharge = (charge) => {
    const { txid, status, terms, revision } = charge
    const changed = revision > 0 && status === "active" ? `, revision ${revision}` : ""
    world.note("bank", `${shortName(txid)} is ${status} for ${terms.amountCents} cents${changed}`)
    onCharge(charge)
  }
  bank.onMoney = (payment, returned) => {
    const { endToEndId: id, txid, amountCents } = payment
    const purpose = txid === undefined ? "to the key" : `for ${shortName(txid)}`
    const what =
      returned === undefined
        ? `payment ${shortName(id)} of ${amountCents} cents ${purpose}`
        : `${returned.kind} of ${returned.amountCents} cents of ${shortName(id)} is ${returned.status}`
    world.note("bank", what)
    onMoney(payment)
  }
  return bank
}
