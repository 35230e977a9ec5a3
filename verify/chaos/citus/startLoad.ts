import { chargeTxid, parseChargeId } from "@pixcharge/core/charge"
import type { SandboxPix } from "@pixcharge/embed"
import * as Result from "effect/Result"
import { isExpectedFailure, type Ledger, type Operation, type Sale } from "./Ledger.ts"
import type { Host } from "./openHost.ts"

/** What callers do, and where. */
export interface LoadOptions {
  /** A call goes to any of them; its repetition, too. */
  readonly hosts: ReadonlyArray<Host>
  /** The CNPJs that sell, each by a caller of its own: one that isn't answered holds up no other. */
  readonly issuers: ReadonlyArray<string>
  /** Between two sales of a caller, on average. */
  readonly pauseMs: number
}

/** Sales that are being made. */
export interface Load {
  /** No further call is made; resolves once the last is answered. */
  readonly stop: () => Promise<void>
}

const wait = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms))
const oneOf = <A>(list: ReadonlyArray<A>): A => list[Math.floor(Math.random() * list.length)] as A
const repeatAfterMs = 200

const newSale = (issuer: string): Sale => ({
  issuer,
  id: crypto.randomUUID(),
  amountCents: 100 + Math.floor(Math.random() * 90),
  endToEndId: `E${crypto.randomUUID().replaceAll("-", "").slice(1)}`,
})

const tagOf = (error: unknown): string => String(Object(error)._tag ?? error)

/**
 * Callers that issue, read, pay and sometimes refund, each repeating a call until it is answered, as integrators do. The ledger
 * has every answer, every failure, and every answer that contradicts an earlier one.
 */
export const startLoad = (ledger: Ledger, { hosts, issuers, pauseMs }: LoadOptions): Load => {
  let isStopped = false

  /** Repeats a call until it is answered; undefined once the load is stopped, or after a failure that must not be. */
  const answered = async <A>(
    operation: Operation,
    { issuer }: Sale,
    call: (pix: SandboxPix) => Promise<A>,
  ): Promise<A | undefined> => {
    while (!isStopped) {
      const { name: host, pix } = oneOf(hosts)
      const [beganAt, began] = [Date.now(), performance.now()]
      const made = () => ({ operation, issuer, host, beganAt, tookMs: performance.now() - began })
      try {
        const answer = await call(pix)
        ledger.calls.push(made())
        return answer
      } catch (error) {
        const failure = tagOf(error)
        ledger.calls.push({ ...made(), failure })
        if (!isExpectedFailure(failure)) return undefined
      }
      await wait(repeatAfterMs * (0.5 + Math.random()))
    }
    return undefined
  }

  const expectRead = async (sale: Sale, status: string): Promise<void> => {
    const found = await answered("find", sale, (pix) => pix.find(sale.issuer, sale.id))
    if (found === undefined) return
    const { transactionId, amountCents } = found
    if (transactionId !== sale.transactionId || amountCents !== sale.amountCents || found.status !== status) {
      ledger.wrongAnswers.push(`${sale.id} of ${sale.issuer} was ${status} and is read as ${found.status}`)
    }
  }

  const issue = async (sale: Sale): Promise<void> => {
    const { issuer, id, amountCents } = sale
    const issued = await answered("issue", sale, (pix) => pix.issue(issuer, { id, amountCents }))
    if (issued !== undefined) sale.transactionId = issued.transactionId
  }

  const pay = async (sale: Sale): Promise<void> => {
    const { issuer, id, amountCents, endToEndId } = sale
    const notice = {
      issuer,
      txid: chargeTxid(Result.getOrThrow(parseChargeId(id))),
      endToEndId,
      amountCents,
      paidAt: Date.now(),
    }
    const paid = await answered("pay", sale, (pix) => pix.confirmPayment(notice))
    if (paid !== undefined) sale.isPaid = true
  }

  const refund = async (sale: Sale): Promise<void> => {
    const refunded = await answered("refund", sale, (pix) => pix.refund(sale.issuer, sale.id))
    if (refunded?.status === "refunded") sale.isRefunded = true
  }

  /** Each step but the first follows only on an acknowledged one. */
  const sell = async (issuer: string): Promise<void> => {
    const sale = newSale(issuer)
    ledger.sales.set(sale.id, sale)
    await issue(sale)
    if (sale.transactionId !== undefined) await expectRead(sale, "pending")
    if (sale.transactionId !== undefined) await pay(sale)
    if (sale.isPaid) await expectRead(sale, "paid")
    if (sale.isPaid && Math.random() < 0.2) await refund(sale)
    if (sale.isRefunded) await expectRead(sale, "refunded")
  }

  const selling = issuers.map(async (issuer) => {
    while (!isStopped) {
      await sell(issuer)
      await wait(pauseMs * (0.5 + Math.random()))
    }
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(selling)
    },
  }
}
