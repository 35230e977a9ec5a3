import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { HostSetting } from "../host.ts"
import { Host } from "./Host.ts"
import { HostWay } from "./HostWay.ts"

export interface Release {
  readonly name: string
  readonly program: string
}

/**
 * The database of a host: a local port, which the host reaches through a proxy that can be cut, or a URL without a
 * proxy.
 */
export type Target = { readonly port: number } | { readonly url: string }

export interface Place {
  release: Release
  readonly target: Target
  readonly way?: HostWay
  host?: Host
}

export const databaseUrl = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

export class Hosts {
  readonly places: Array<Place> = []
  readonly #setting: Omit<HostSetting, "url">
  #started = 0

  constructor(setting: Omit<HostSetting, "url">) {
    this.#setting = setting
  }

  async add(release: Release, target: Target): Promise<Place> {
    const place: Place = { release, target, ...("port" in target && { way: await HostWay.open(target.port) }) }
    this.places.push(place)
    await this.start(place)
    return place
  }

  async start(place: Place): Promise<void> {
    const { release, target, way } = place
    const url = "url" in target ? target.url : databaseUrl(way?.proxy.port ?? target.port)
    const name = `${release.name} ${++this.#started}`
    place.host = await Host.start(name, release.program, { ...this.#setting, url })
  }

  startStray(port: number): Promise<Host> {
    const { release } = this.places[0] as Place
    return Host.start("stray", release.program, { ...this.#setting, url: databaseUrl(port), isPassive: true })
  }

  get serving(): ReadonlyArray<Host> {
    return this.places.flatMap(({ host }) => (host?.isAlive ? [host] : []))
  }

  pick(random: SeededRandom): Place {
    return random.pick(this.places as [Place, ...Array<Place>])
  }

  async kill(place: Place): Promise<void> {
    const { host } = place
    delete place.host
    await host?.kill()
    await this.start(place)
  }

  async deploy(place: Place, release: Release): Promise<void> {
    const { host } = place
    delete place.host
    await host?.end()
    place.release = release
    await this.start(place)
  }

  /** Redirects all connections to this port and cuts the open ones. */
  pointTo(port: number): void {
    for (const { way } of this.places) {
      way?.proxy.pointTo(port)
      way?.proxy.cut()
    }
  }

  async close(): Promise<void> {
    for (const { host, way } of this.places) {
      await host?.kill()
      way?.proxy.close()
    }
  }
}
