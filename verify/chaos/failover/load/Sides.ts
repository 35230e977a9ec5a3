import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseProxy } from "../../postgres/DatabaseProxy.ts"
import { type CommitEdge, commitEdges, type StatementFate } from "../../postgres/StatementFate.ts"
import type { HostProcess } from "./HostProcess.ts"
import type { World } from "./World.ts"

/** One release: its packages are installed in the folder. */
export interface Side {
  readonly name: string
  readonly folder: string
}

/** How often a statement that writes meets each. */
const cutShare = 0.01
const killShare = 0.01

interface Place {
  readonly side: Side
  readonly proxy: DatabaseProxy
  port?: number
  host: HostProcess | undefined
  isWanted: boolean
}

/** Hosts of several releases on one database; each that dies is followed by another of its release. */
export class Sides {
  /** Cuts and kills so far. */
  readonly incidents = { cuts: 0, kills: 0 }
  /** Whether connections are cut and hosts killed. */
  isRough = false
  readonly #world: World
  readonly #port: number
  readonly #places: Array<Place> = []
  readonly #starting = new Set<Promise<void>>()
  #started = 0

  constructor(world: World, port: number) {
    this.#world = world
    this.#port = port
  }

  /** Starts a host of this release, and answers with it once it serves. */
  async add(side: Side): Promise<HostProcess> {
    const proxy: DatabaseProxy = new DatabaseProxy(this.#port, {
      next: () => this.#fate(),
      kill: () => void this.#die(place),
    })
    const place: Place = { side, proxy, host: undefined, isWanted: true }
    this.#places.push(place)
    return this.#start(place)
  }

  /** Ends the hosts of this release in order, as a deployment does. */
  async end(side: Side): Promise<void> {
    const places = this.#places.filter((place) => place.side === side && place.isWanted)
    for (const place of places) place.isWanted = false
    await this.settled()
    for (const { host } of places) if (host?.isAlive) await host.end()
  }

  /** Nothing goes wrong any more; comes back once all hosts serve. */
  async settled(): Promise<void> {
    this.isRough = false
    while (this.#starting.size > 0) await Promise.all(this.#starting)
  }

  /** Waits until so many hosts were killed. */
  async killed(most: number): Promise<void> {
    while (this.incidents.kills < most) await sleep(20)
  }

  close(): void {
    for (const place of this.#places) {
      place.isWanted = false
      place.proxy.close()
    }
  }

  #fate(): StatementFate {
    if (!this.isRough) return { delayMs: 0 }
    const chance = Math.random()
    if (chance < killShare) return { delayMs: 0, killAt: this.#edge() }
    if (chance >= killShare + cutShare) return { delayMs: 0 }
    this.incidents.cuts += 1
    return { delayMs: 0, cutAt: Math.random() < 0.5 ? "request" : "answer" }
  }

  #edge(): CommitEdge {
    return commitEdges[this.incidents.kills % commitEdges.length] ?? "after the request"
  }

  /** The host of this place is killed where it is, and another follows it. */
  async #die(place: Place): Promise<void> {
    const { host } = place
    if (!host?.isAlive || !this.isRough) return
    this.incidents.kills += 1
    const followed = host.kill().then(async () => {
      if (place.isWanted) await this.#start(place)
    })
    this.#starting.add(followed)
    await followed.finally(() => this.#starting.delete(followed))
  }

  async #start(place: Place): Promise<HostProcess> {
    const { side, proxy } = place
    place.port ??= await proxy.listen()
    place.host = await this.#world.addHost(`${side.name} ${++this.#started}`, side.folder, place.port)
    return place.host
  }
}
