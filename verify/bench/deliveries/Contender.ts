/** One way to deliver events durably, in a process of its own. */
export interface Contender {
  /** Makes so many events wait, none of which is delivered yet. */
  readonly fill: (count: number) => Promise<void>
  /** Begins to deliver what waits. */
  readonly start: () => Promise<void>
  /** How much is recorded as delivered. */
  readonly countDelivered: () => Promise<number>
  /** Makes what so many commits need before them. */
  readonly prepare?: (commits: number) => Promise<void>
  /** Commits one event that is to be delivered at once; answers with its id, and with when it was committed. */
  readonly commit: () => Promise<Commit>
}

export interface Commit {
  readonly id: string
  /** Milliseconds of the machine's steady clock. */
  readonly at: number
}

/** What no contender may exceed: POSTs that are under way at once, and connections that it works over. */
export const bounds = { posts: 64, connections: 10 }

/** Milliseconds of the steady clock that all processes of the machine share. */
export const steadyMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The target of each POST: where the receiver is. */
export type MakeContender = (databaseUrl: string, receiverUrl: string) => Promise<Contender>

/** What every contender signs with, as Standard Webhooks wants it. */
export const benchSecret = "whsec_c2VncmVkby1kYS1tZWRpY2FvLWNvbS0zMi1ieXRlcyE="
