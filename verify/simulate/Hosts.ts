import { clockToleranceMs } from "@pixcharge/core"
import type { Process } from "./Process.ts"
import type { Actor, World } from "./World.ts"

/**
 * The maximum difference between a process's clock and the world's. So two clocks differ by less than
 * `clockToleranceMs`.
 */
const maxSkewMs = clockToleranceMs / 2 - 1
const restartMs = 8_000
const stopMs = 25_000

export class Hosts<Host extends Process<never>> {
  readonly #hosts: Array<Host> = []
  readonly #generations: Array<number> = []
  readonly #world: World
  readonly #make: (actor: Actor) => Host
  #wanted: number
  /** The earliest start of a process, in epoch milliseconds. */
  #downUntil = 0

  constructor(world: World, count: number, make: (actor: Actor) => Host) {
    this.#world = world
    this.#make = make
    this.#wanted = count
    for (let n = 0; n < count; n++) this.#start(n)
  }

  #start(n: number): void {
    if (n >= this.#wanted) return
    const downMs = this.#downUntil - this.#world.now
    if (downMs > 0) return this.#world.after(downMs, () => this.#start(n))
    const generation = (this.#generations[n] ?? 0) + 1
    this.#generations[n] = generation
    const skewMs = this.#world.random.between(-maxSkewMs, maxSkewMs)
    const actor = this.#world.makeActor(`host ${n + 1}.${generation}`, skewMs)
    this.#world.note(actor.name, "starts")
    this.#hosts[n] = this.#make(actor)
  }

  /** The process at this place if it serves, else another process that serves. */
  findServing(n: number): Host | undefined {
    const wanted = this.#hosts[n % this.#wanted]
    return wanted?.isServing === true ? wanted : this.#hosts.find(({ isServing }) => isServing)
  }

  kill(actor: Actor): void {
    if (!actor.isAlive) return
    this.#world.note(actor.name, "dies")
    this.#world.kill(actor)
    const n = this.#hosts.findIndex((host) => host.actor === actor)
    this.#world.after(restartMs, () => this.#start(n))
  }

  /** Kills all processes and starts new ones after `forMs`. */
  killAll(forMs = 0): void {
    this.#downUntil = this.#world.now + forMs
    for (const { actor } of this.#hosts) this.kill(actor)
  }

  stop(wanted: number): void {
    const n = wanted % this.#wanted
    const host = this.#hosts[n]
    if (host?.isServing !== true) return
    this.#world.note(host.actor.name, "is stopped")
    host.stop()
    this.#world.after(stopMs, () => {
      // It died in the meantime and is already replaced.
      if (!host.actor.isAlive) return
      this.#world.kill(host.actor)
      this.#start(n)
    })
  }

  suspend(n: number, ms: number): void {
    const host = this.findServing(n)
    if (host === undefined) return
    this.#world.note(host.actor.name, `is suspended for ${ms} ms`)
    this.#world.suspend(host.actor, ms)
  }

  /** Moves a process's clock to this place, from 0 to 1, between the slowest and the fastest clock. */
  shiftClock(n: number, to: number): void {
    const host = this.findServing(n)
    if (host === undefined) return
    const { actor } = host
    const skewMs = Math.round((2 * to - 1) * maxSkewMs)
    this.#world.note(
      actor.name,
      `has its clock set ${skewMs < actor.skewMs ? "back" : "ahead"} by ${skewMs - actor.skewMs} ms`,
    )
    actor.skewMs = skewMs
  }

  /** Kills all processes except one, which must be able to finish all work. */
  leaveOne(): void {
    this.#wanted = 1
    for (const { actor } of this.#hosts.slice(1)) this.#world.kill(actor)
  }
}
