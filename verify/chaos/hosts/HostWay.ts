import { type Crossing, TcpProxy } from "../../world/index.ts"

/** The moments just before and after a statement's messages. */
export const edges = ["before the request", "after the request", "before the answer", "after the answer"] as const

export type Edge = (typeof edges)[number]

interface Ambush {
  readonly edge: Edge
  readonly strike: () => void
  left: number
}

export class HostWay {
  readonly proxy: TcpProxy
  #ambush: Ambush | undefined

  private constructor(proxy: TcpProxy) {
    this.proxy = proxy
  }

  static async open(port: number): Promise<HostWay> {
    const way: HostWay = new HostWay(
      await TcpProxy.start(port, () => ({
        asks: (_, crossing) => way.#cross("request", crossing),
        answers: (_, crossing) => way.#cross("answer", crossing),
      })),
    )
    return way
  }

  /** Calls `strike` at this edge of the message that comes after `left` others. */
  ambush(edge: Edge, left: number, strike: () => void): void {
    this.#ambush = { edge, left, strike }
  }

  callOff(): void {
    this.#ambush = undefined
  }

  #cross(side: string, { pass, cut }: Crossing): void {
    const ambush = this.#ambush
    if (ambush?.edge.endsWith(side) !== true || ambush.left-- > 0) return pass()
    this.#ambush = undefined
    if (ambush.edge.startsWith("after")) pass()
    ambush.strike()
    cut()
  }
}
