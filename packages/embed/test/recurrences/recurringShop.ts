import { type SandboxProcessor, sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { createPix, type PlainEvent, type RecurrenceRequestInput, type SandboxOptions } from "../../src/index.ts"

export const cnpj = "12345678000195"
/** Another company of the same host, without recurrences. */
export const otherCnpj = "11222333000181"

/** Noon in Brasília of Monday, 1 March 2027. */
export const noon = Date.UTC(2027, 2, 1, 15)

/** A time in Brasília, in epoch milliseconds. Brasília is three hours behind UTC. */
export const inBrasilia = (day: string, time = "12:00"): number => Date.parse(`${day}T${time}:00-03:00`)

/** A monthly fixed amount from Saturday 20 March 2027, authorised by code. The first debit is on Monday 22 March. */
export const anOffer = (over: Partial<RecurrenceRequestInput> = {}): RecurrenceRequestInput => ({
  id: randomUUID(),
  payer: { name: "Ana Souza", taxId: "529.982.247-25" },
  title: "Academia",
  period: "monthly",
  startDate: "2027-03-20",
  amountCents: 4_990,
  journey: { by: "code" },
  ...over,
})

/** Opens a sandbox that charges recurrences. `events` collects its events. */
export const openShop = ({
  processor = sandboxProcessor(),
  store = memoryStore(),
  frozenAt = noon,
}: {
  readonly processor?: SandboxProcessor
  readonly store?: SandboxOptions["store"]
  readonly frozenAt?: number
} = {}) => {
  const events: Array<PlainEvent> = []
  const pix = createPix({
    environment: "sandbox",
    store,
    companies: [cnpj, otherCnpj].map((one) => ({ cnpj: one, name: "Academia Aurora", city: "Recife", pixKey: one })),
    processor,
    recurrences: true,
    background: false,
    frozenAt,
    onEvent: (event) => void events.push(event),
  })
  const settle = async (): Promise<void> => {
    while ((await pix.tick({ deadlineMs: 60_000 })).more);
  }
  /** Moves the clock to this time, and does all work that is due. */
  const goTo = async (day: string, time?: string): Promise<void> => {
    await pix.clock.advance(inBrasilia(day, time) - pix.clock.now())
    await settle()
  }
  const approve = async (over: Partial<RecurrenceRequestInput> = {}): Promise<string> => {
    const { id } = await pix.recurrences.offer(cnpj, anOffer(over))
    await pix.recurrences.play(cnpj, id, "approve")
    return id
  }
  /** The charges of a recurrence's cycles, first cycle first. */
  const charges = async (id: string) => [...(await pix.recurrences.charges(cnpj, id)).items].toReversed()
  const kinds = () => events.map(({ kind }) => kind)
  return { pix, events, kinds, settle, goTo, approve, charges, [Symbol.asyncDispose]: pix.dispose }
}
