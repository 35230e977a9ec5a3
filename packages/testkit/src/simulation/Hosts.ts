import { clockToleranceMs } from "@pixcharge/core"
import type { Host } from "./Host.ts"
import type { Actor, World } from "./World.ts"

/** Two clocks differ by less than `clockToleranceMs`. */
export const maxSkewMs = clockToleranceMs / 2 - 1
export const restartMs = 8_000
/** A process that ends in order has so long for it. */
export const stopMs = 25_000

/** The processes: each that dies or ends is followed by another in its place. */
export class Hosts {
  readonly #hosts: Array<Host> = []
  readonly #generations: Array<number> = []
  readonly #world: World
  readonly #make: (actor: Actor) => Host
  /** How many places there are. */
  #wanted: number

  constructor(world: World, count: number, make: (actor: Actor) => Host) {
    this.#world = world
    this.#make = make
    this.#wanted = count
    for (let n = 0; n < count; n++) this.#start(n)
  }

  #start(n: number): void {
    if (n >= this.#wanted) return
    const generation = (this.#generations[n] ?? 0) + 1
    this.#generations[n] = generation
    const skewMs = this.#world.random.between(-maxSkewMs, maxSkewMs)
    const actor = this.#world.makeActor(`host ${n + 1}.${generation}`, skewMs)
    this.#world.note(actor.name, "starts")
    this.#hosts[n] = this.#make(actor)
  }

  /** The process of this place if it serves, else one that does; undefined if none does. */
  findServing(n: number): Host | undefined {
    const wanted = this.#hosts[n % this.#wanted]
    return wanted?.isServing === true ? wanted : this.#hosts.find(({ isServing }) => isServing)
  }

  /** The process ends here and now. */
  die(actor: Actor): void {
    if (!actor.isAlive) return
    this.#world.note(actor.name, "dies")
    this.#world.kill(actor)
    const n = this.#hosts.findIndex((host) => host.actor === actor)
    this.#world.after(restartMs, () => this.#start(n))
  }

  /** All processes end here and now. */
  dieTogether(): void {
    for (const { actor } of this.#hosts) this.die(actor)
  }

  /** The process of this place ends in order. */
  stop(wanted: number): void {
    const n = wanted % this.#wanted
    const host = this.#hosts[n]
    if (host?.isServing !== true) return
    this.#world.note(host.actor.name, "is stopped")
    host.stop()
    this.#world.after(stopMs, () => {
      // It died meanwhile: then another has its place already.
      if (!host.actor.isAlive) return
      this.#world.kill(host.actor)
      this.#start(n)
    })
  }

  /** The process of this place stops where it is, and goes on later. */
  suspend(n: number, ms: number): void {
    const host = this.findServing(n)
    if (host === undefined) return
    this.#world.note(host.actor.name, `is suspended for ${ms} ms`)
    this.#world.suspend(host.actor, ms)
  }

  /** From now on there is only one: that must be enough to bring everything to its end. */
  leaveOne(): void {
    this.#wanted = 1
    for (const { actor } of this.#hosts.slice(1)) this.#world.kill(actor)
  }
}
