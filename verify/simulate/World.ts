import { hashText, makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/** A process in the world, or the world itself, with its queue of tasks. */
export interface Actor {
  readonly name: string
  readonly tasks: Array<() => void>
  /** A dead process stops without finalizers. */
  isAlive: boolean
  /** A suspended process continues later without noticing. */
  isSuspended: boolean
  /** How far its clock is ahead, in milliseconds, of the world's. */
  skewMs: number
}

/** The parts of a world that the bank and the receivers need. */
export interface Timeline {
  /** Epoch milliseconds. */
  readonly now: number
  readonly after: (ms: number, happens: () => void) => void
  readonly note: (actor: string, what: string) => void
}

interface Sleep {
  readonly actor: Actor
  readonly wake: () => void
  isOver: boolean
}

/** Future events, the earliest first. Events of one time keep their order. */
class MomentQueue<A> {
  readonly #entries: Array<{ readonly at: number; readonly value: A }> = []

  /** The time of the earliest event; infinity if there is none. */
  get earliest(): number {
    return this.#entries[0]?.at ?? Infinity
  }

  get first(): A | undefined {
    return this.#entries[0]?.value
  }

  add(at: number, value: A): void {
    this.#entries.splice(this.#entries.findLastIndex((one) => one.at <= at) + 1, 0, { at, value })
  }

  take(): A | undefined {
    return this.#entries.shift()?.value
  }
}

/** Noon in Brasília on Wednesday, 3 June 2026. */
const beginsAt = Date.UTC(2026, 5, 3, 15)

/**
 * Without events, time passes in leaps, and sleeping processes wake late. Each leap is this many times as long as the
 * previous one.
 */
const leapGrowth = 16
/** The first leap after an event while faults happen. */
export const usualLeapMs = 1_000
const maxLeapMs = 6 * 3_600_000

/**
 * Virtual time and the order of tasks. The seed decides which process continues and when each message arrives. Time
 * passes only when no task is left.
 */
export class World implements Timeline {
  /** Epoch milliseconds. */
  now: number
  readonly startedAt: number
  readonly random: SeededRandom
  readonly history: Array<string> = []
  /** The actor of the bank, the receivers and the network. */
  readonly itself: Actor = this.makeActor("world")
  /** The number of open calls that wait for the real event loop, such as database queries. */
  pending = 0
  readonly #isAsync: boolean
  #traceHash = 0x811c9dc5
  /** The length of the first leap after an event, in milliseconds. */
  firstLeapMs = usualLeapMs
  #leapMs = usualLeapMs
  readonly #ready: Array<Actor> = []
  readonly #events = new MomentQueue<() => void>()
  readonly #sleeps = new MomentQueue<Sleep>()

  /** If `isAsync`, the world awaits promises before time passes. */
  constructor(seed: number, isAsync: boolean, startedAt = beginsAt) {
    this.#isAsync = isAsync
    this.now = startedAt
    this.startedAt = startedAt
    this.random = makeSeededRandom(seed)
  }

  makeActor(name: string, skewMs = 0): Actor {
    return { name, tasks: [], isAlive: true, isSuspended: false, skewMs }
  }

  enqueue(actor: Actor, task: () => void): void {
    if (!actor.isAlive) return
    if (actor.tasks.length === 0 && !actor.isSuspended) this.#ready.push(actor)
    actor.tasks.push(task)
  }

  suspend(actor: Actor, ms: number): void {
    if (actor.isSuspended) return
    actor.isSuspended = true
    this.#forget(actor)
    this.after(ms, () => {
      actor.isSuspended = false
      if (actor.tasks.length > 0) this.#ready.push(actor)
    })
  }

  #forget(actor: Actor): void {
    const index = this.#ready.indexOf(actor)
    if (index >= 0) this.#ready.splice(index, 1)
  }

  after(ms: number, happens: () => void): void {
    this.#events.add(this.now + ms, happens)
  }

  /** Wakes the actor after this time, or later if the world leaps. The returned function cancels the sleep. */
  sleep(actor: Actor, ms: number, wake: () => void): () => void {
    const sleep: Sleep = { actor, wake, isOver: false }
    this.#sleeps.add(this.now + ms, sleep)
    return () => {
      sleep.isOver = true
    }
  }

  kill(actor: Actor): void {
    actor.isAlive = false
    actor.tasks.length = 0
    this.#forget(actor)
  }

  note(actor: string, what: string): void {
    this.#leapMs = this.firstLeapMs
    const line = `${((this.now - this.startedAt) / 1_000).toFixed(3)} ${actor}: ${what}`
    this.#traceHash = hashText(line, this.#traceHash)
    this.history.push(line)
  }

  /** The hash of the history: of all events with their order and times. */
  get traceHash(): string {
    return this.#traceHash.toString(16).padStart(8, "0")
  }

  /** Runs until `isOver` or until no task or sleep is left. */
  async run(isOver: () => boolean): Promise<void> {
    for (;;) {
      this.#drain()
      if (this.#isAsync) await this.#answers()
      if (isOver() || !this.#advance()) return
    }
  }

  async #answers(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve))
      this.#drain()
    } while (this.pending > 0)
  }

  #drain(): void {
    while (this.#ready.length > 0) {
      const at = this.#ready.length === 1 ? 0 : this.random.between(0, this.#ready.length - 1)
      const actor = this.#ready[at]
      const task = actor?.tasks.shift()
      if (actor?.tasks.length === 0) this.#ready.splice(at, 1)
      task?.()
    }
  }

  /** Lets time pass until an event happens or an actor wakes; false if no event is left. */
  #advance(): boolean {
    while (this.#sleeps.first?.isOver === true || this.#sleeps.first?.actor.isAlive === false) this.#sleeps.take()
    const sleepsUntil = this.#sleeps.earliest
    const happensAt = this.#events.earliest
    if (happensAt <= sleepsUntil) {
      if (happensAt === Infinity) return false
      this.now = happensAt
      const happens = this.#events.take()
      if (happens !== undefined) this.enqueue(this.itself, happens)
      return true
    }
    this.now = Math.max(sleepsUntil, Math.min(happensAt, this.now + this.#leapMs))
    this.#leapMs = Math.min(leapGrowth * this.#leapMs, maxLeapMs)
    while (this.#sleeps.earliest <= this.now) {
      const sleep = this.#sleeps.take()
      if (sleep !== undefined && !sleep.isOver) this.enqueue(sleep.actor, sleep.wake)
    }
    return true
  }
}
