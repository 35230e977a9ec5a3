import { brasiliaDate } from "@pixcharge/core/calendar"
import { isPixError, type MoveTo } from "@pixcharge/embed"
import { setTimeout } from "node:timers/promises"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { monthPlan, type Step } from "./monthPlan.ts"

/** The wait gives its attempt the same business time as its event. */
const maxWaitMs = 1_000
const waitMs = 2

export interface Seeded {
  readonly charges: number
}

const isDelivered = async ({ pix, company }: ConsoleContext, chargeId: string): Promise<boolean> => {
  const { items } = await pix.events.list(company.cnpj, { chargeId, status: "waiting" })
  return items.every(({ attempts }) => attempts > 0)
}

const awaitDelivery = async (context: ConsoleContext, chargeId: string): Promise<void> => {
  const endsAt = performance.now() + maxWaitMs
  while (!(await isDelivered(context, chargeId)) && performance.now() < endsAt) await setTimeout(waitMs)
}

const runStep = async (context: ConsoleContext, step: Step): Promise<void> => {
  const { pix, company, receiver } = context
  const { cnpj } = company
  switch (step.kind) {
    case "issue":
      if (step.isRefused) receiver.refused.add(step.id)
      return void (await pix.issue(cnpj, step.request))
    case "pay":
      await pix.simulatePayment(cnpj, step.id, {
        outcome: step.outcome,
        ...(step.amountCents !== undefined && { amountCents: step.amountCents }),
      })
      break
    case "refund":
      await pix.refund(cnpj, step.id)
      break
    case "refundPart":
      await pix.refundPart(cnpj, step.id, { key: "seed", amountCents: step.amountCents })
      break
    case "change":
      return void (await pix.change(cnpj, step.id, { key: "seed", amountCents: step.amountCents }))
    case "cancel":
      await pix.cancel(cnpj, step.id)
      break
  }
  await awaitDelivery(context, step.id)
}

const isKnown = ({ pix, company }: ConsoleContext, id: string): Promise<boolean> =>
  pix.find(company.cnpj, id).then(
    () => true,
    (error) => {
      if (isPixError(error, "ChargeNotFound")) return false
      throw error
    },
  )

const sendProgress = ({ feed }: ConsoleContext, done: number, all: number): void => {
  const tenths = Math.floor((done * 10) / all)
  if (tenths > Math.floor(((done - 1) * 10) / all)) feed.send(`A month of charges: ${tenths * 10} % are made`)
}

/** Equal seeds on the same day give equal charges. */
export const seedMonth = async (context: ConsoleContext, seed: string): Promise<Seeded> => {
  const { pix, receiver } = context
  const plan = monthPlan(seed, pix.clock.now())
  const [first] = plan
  if (first === undefined) return { charges: 0 }
  const known = new Set<string>()
  let charges = 0
  const runSteps = async (moveTo: MoveTo): Promise<void> => {
    let lookedOn: string | undefined
    for (const [done, step] of plan.entries()) {
      if (step.kind === "issue" && (await isKnown(context, step.id))) known.add(step.id)
      if (known.has(step.id)) continue
      const day = brasiliaDate(step.at)
      // Looks up charges only once a day: few notices are lost, and each time costs a look-up of every unpaid charge.
      await moveTo(step.at, day !== lookedOn)
      lookedOn = day
      await runStep(context, step)
      sendProgress(context, done, plan.length)
      if (step.kind === "issue") charges++
    }
  }
  context.isSeeding = true
  try {
    await pix.clock.runInPast(first.at, runSteps)
  } finally {
    context.isSeeding = false
    receiver.refused.clear()
  }
  return { charges }
}
