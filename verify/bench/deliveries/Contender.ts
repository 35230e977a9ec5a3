/** A durable way to deliver events, in its own process. */
export interface Contender {
  /** Publishes this many events without delivering any. */
  readonly fill: (count: number) => Promise<void>
  readonly start: () => Promise<void>
  readonly countDelivered: () => Promise<number>
  readonly prepare?: (commits: number) => Promise<void>
  /** Commits one event for immediate delivery. */
  readonly commit: () => Promise<Commit>
}

export interface Commit {
  readonly id: string
  readonly at: number
}

/** Every contender's limits: concurrent POSTs and database connections. */
export const bounds = { posts: 64, connections: 10 }

/** Milliseconds of the monotonic clock, which all processes of the machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

export type MakeContender = (databaseUrl: string, receiverUrl: string) => Promise<Contender>

/** The signing secret of every contender, in the form of Standard Webhooks. */
export const benchSecret = "whsec_c2VncmVkby1kYS1tZWRpY2FvLWNvbS0zMi1ieXRlcyE="
