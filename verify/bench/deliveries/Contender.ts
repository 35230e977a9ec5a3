export interface Contender {
  readonly fill: (count: number) => Promise<void>
  readonly start: () => Promise<void>
  readonly countDelivered: () => Promise<number>
  readonly prepare?: (commits: number) => Promise<void>
  readonly commit: () => Promise<Commit>
}

export interface Commit {
  readonly id: string
  readonly at: number
}

export const bounds = { posts: 64, connections: 10 }

/** The time of the monotonic clock in milliseconds. All processes of the machine share this clock. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

export type MakeContender = (databaseUrl: string, receiverUrl: string) => Promise<Contender>

export const benchSecret = "whsec_c2VncmVkby1kYS1tZWRpY2FvLWNvbS0zMi1ieXRlcyE="
