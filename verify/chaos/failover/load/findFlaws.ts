import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { CallFailed, type HostProcess } from "./HostProcess.ts"
import type { EventReceiver, Told } from "./EventReceiver.ts"
import type { Ledger, Sale } from "./Ledger.ts"

interface Evidence {
  readonly ledger: Ledger
  readonly bank: SimulatedBank
  readonly receiver: EventReceiver
  readonly companies: ReadonlyArray<string>
  /** From which moment on. Epoch milliseconds. */
  readonly since: number
  /** How often an event may be told. */
  readonly mostTold: number
}

interface Charge {
  readonly transactionId: string
  readonly brCode: string
  readonly status: string
  readonly payment?: { readonly endToEndId: string }
}

const findCharge = async (host: HostProcess, { issuer, id }: Sale): Promise<Charge | undefined> => {
  try {
    return (await host.call("find", issuer, id)) as Charge
  } catch (error) {
    if (error instanceof CallFailed && error.tag === "ChargeNotFound") return undefined
    throw error
  }
}

/** What a company was answered with and can't be found. */
const lostOf = ({ issued, paidBy, isRefunded }: Sale, charge: Charge | undefined): ReadonlyArray<string> => {
  if (issued === undefined) return []
  if (charge === undefined) return ["was issued, and is lost"]
  const flaws: Array<string> = []
  if (charge.transactionId !== issued.transactionId || charge.brCode !== issued.brCode) flaws.push("is another charge")
  if (paidBy !== undefined && charge.payment?.endToEndId !== paidBy) flaws.push("was paid, and its payment is lost")
  if (isRefunded && charge.status !== "refunded") flaws.push(`was refunded, and is ${charge.status}`)
  return flaws
}

/** Events that are missing, doubled, untrue or told too often. */
const toldWrong = (charge: Charge | undefined, told: ReadonlyArray<Told>, mostTold: number): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  const expected = { paid: charge?.payment !== undefined, refunded: charge?.status === "refunded" }
  for (const [kind, isExpected] of Object.entries(expected)) {
    const events = told.filter((one) => one.kind === kind)
    if (events.length !== (isExpected ? 1 : 0)) flaws.push(`has ${events.length} events that it is ${kind}`)
    for (const { times } of events) if (times > mostTold) flaws.push(`was told ${times} times to be ${kind}`)
  }
  return flaws
}

/** A `paid` of a charge that was refunded before it was told is superseded. */
const unlessSuperseded = (charge: Charge | undefined, flaw: string): boolean =>
  !(charge?.status === "refunded" && flaw === "has 0 events that it is paid")

const bankFlaws = ({ bank }: Evidence): ReadonlyArray<string> =>
  [...bank.ledger.payments.values()].flatMap(({ endToEndId, returns, amountCents }) => {
    const back = returns.filter(({ status }) => status !== "rejected")
    const sum = back.reduce((total, one) => total + one.amountCents, 0)
    return back.length > 1 || sum > amountCents ? [`payment ${endToEndId} went back ${back.length} times`] : []
  })

/** Payments that are missing in the books, doubled, or unknown to the bank. */
const bookFlaws = async (host: HostProcess, { bank, companies, since }: Evidence): Promise<ReadonlyArray<string>> => {
  const recorded = new Map<string, number>()
  for (const issuer of companies) {
    // The bank dates a payment when its payer sent it.
    const payments = await host.call("payments", issuer, { from: since - 60_000, until: Date.now() + 60_000 })
    for (const { endToEndId } of payments as ReadonlyArray<{ readonly endToEndId: string }>) {
      recorded.set(endToEndId, (recorded.get(endToEndId) ?? 0) + 1)
    }
  }
  const known = bank.ledger.payments
  return [...new Set([...known.keys(), ...recorded.keys()])].flatMap((endToEndId) => {
    const times = recorded.get(endToEndId) ?? 0
    return times === 1 && known.has(endToEndId) ? [] : [`payment ${endToEndId} is in the books ${times} times`]
  })
}

/** What contradicts the ledgers of companies, bank and receiver; one sentence each. */
export const findFlaws = async (host: HostProcess, evidence: Evidence): Promise<ReadonlyArray<string>> => {
  const { ledger, receiver, mostTold } = evidence
  const flaws = [...ledger.surprises, ...bankFlaws(evidence), ...(await bookFlaws(host, evidence))]
  for (const sale of ledger.sales) {
    const charge = await findCharge(host, sale)
    const wrong = toldWrong(charge, receiver.about(sale.id), mostTold).filter((flaw) => unlessSuperseded(charge, flaw))
    for (const flaw of [...lostOf(sale, charge), ...wrong]) flaws.push(`charge ${sale.id} ${flaw}`)
  }
  if (receiver.unsigned > 0) flaws.push(`${receiver.unsigned} events came without a sound signature`)
  return flaws
}
