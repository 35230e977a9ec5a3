/** One way to deliver events durably, in its own process. */
export interface Contender {
  /** Publishes this many events without delivering any. */
  readonly fill: (count: number) => Promise<void>
  readonly start: () => Promise<void>
  readonly countDelivered: () => Promise<number>
  readonly prepare?: (commits: number) => Promise<void>
  /** Commits one event for immediate delivery. Returns its id and the moment of the commit. */
  readonly commit: () => Promise<Commit>
}

export interface Commit {
  readonly id: string
  /** Milliseconds of the machine's monotonic clock. */
  readonly at: number
}

/** Limits of every contender: concurrent POSTs, and database connections. */
export const bounds = { posts: 64, connections: 10 }

/** Milliseconds of the monotonic clock, which all processes of the machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The target of each POST: the receiver. */
export type MakeContender = (databaseUrl: string, receiverUrl: string) => Promise<Contender>

/** The signing secret of every contender, in the form of Standard Webhooks. */
export const benchSecret = "whsec_c2VncmVkby1kYS1tZWRpY2FvLWNvbS0zMi1ieXRlcyE="
