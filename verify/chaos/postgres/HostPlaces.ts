import { type Actor, mostSkewMs, restartMs, type SeededRandom, stopMs } from "@pixcharge/testkit/simulation"
import type { HostProcess } from "./HostProcess.ts"
import type { RealWorld } from "./RealWorld.ts"
import { wait } from "./wait.ts"

const lookEveryRealMs = 5

interface PlacesOptions {
  readonly world: RealWorld
  readonly count: number
  readonly random: SeededRandom
  readonly make: (actor: Actor) => Promise<HostProcess>
  /** A process that served ended by itself. */
  readonly onFailure: (actor: Actor) => void
}

/** The processes: each that dies or ends is followed by another in its place. */
export class HostPlaces {
  readonly #hosts: Array<HostProcess | undefined> = []
  readonly #generations: Array<number> = []
  readonly #options: PlacesOptions
  #wanted: number

  constructor(options: PlacesOptions) {
    this.#options = options
    this.#wanted = options.count
    for (let place = 0; place < options.count; place++) void this.#start(place)
  }

  get living(): ReadonlyArray<HostProcess> {
    return this.#hosts.filter((host) => host?.actor.isAlive === true) as ReadonlyArray<HostProcess>
  }

  /** The process of this place if it serves, else one that does; undefined if none does. */
  serving(place: number): HostProcess | undefined {
    const wanted = this.#hosts[place % this.#wanted]
    return wanted?.isServing === true ? wanted : this.living.find(({ isServing }) => isServing)
  }

  /** Waits until there is a process that serves in each place. */
  async started(): Promise<void> {
    while (this.living.filter(({ isServing }) => isServing).length < this.#wanted) await wait(lookEveryRealMs)
  }

  /** The process ends here and now. */
  readonly die = (actor: Actor): void => {
    const host = this.#hosts.find((one) => one?.actor === actor)
    if (host === undefined || !actor.isAlive) return
    this.#options.world.note(actor.name, "dies")
    actor.isAlive = false
    host.kill()
  }

  /** The process of this place ends in order. */
  stop(place: number): void {
    const { world } = this.#options
    const host = this.#hosts[place % this.#wanted]
    if (host?.isServing !== true) return
    world.note(host.actor.name, "is stopped")
    host.stop()
    world.after(stopMs, () => {
      if (host.actor.isAlive) host.kill()
    })
  }

  /** The process of this place stops where it is, and goes on later. */
  suspend(place: number, ms: number): void {
    const { world } = this.#options
    const host = this.serving(place)
    if (host === undefined || host.actor.isSuspended) return
    world.note(host.actor.name, `is suspended for ${ms} ms`)
    host.suspend()
    world.after(ms, () => host.resume())
  }

  /** A process is gone; another takes its place. */
  readonly ended = (host: HostProcess): void => {
    const { world, onFailure } = this.#options
    const place = this.#hosts.indexOf(host)
    if (host.actor.isAlive) {
      world.note(host.actor.name, "has ended")
      if (host.isServing) onFailure(host.actor)
    }
    host.actor.isAlive = false
    host.isServing = false
    world.after(restartMs, () => void this.#start(place))
  }

  /** From now on there is only one: that must be enough to bring everything to its end. */
  leaveOne(): void {
    this.#wanted = 1
    for (const host of this.#hosts.slice(1)) if (host !== undefined) this.die(host.actor)
  }

  /** All end, and none follows. */
  endAll(): void {
    this.#wanted = 0
    for (const { actor } of this.living) this.die(actor)
  }

  async #start(place: number): Promise<void> {
    const { world, random, make } = this.#options
    if (place >= this.#wanted) return
    const generation = (this.#generations[place] ?? 0) + 1
    this.#generations[place] = generation
    const skewMs = random.between(-mostSkewMs, mostSkewMs)
    const actor: Actor = {
      name: `host ${place + 1}.${generation}`,
      tasks: [],
      isAlive: true,
      isSuspended: false,
      skewMs,
    }
    world.note(actor.name, "starts")
    const host = await make(actor)
    this.#hosts[place] = host
    if (place >= this.#wanted) this.die(actor)
  }
}
