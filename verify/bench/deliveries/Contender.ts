export interface Contender {
  readonly fill: (count: number) => Promise<void>
  readonly start: () => Promise<void>
  readonly countDelivered: () => Promise<number>
}

export const bounds = { posts: 64, connections: 10 }

export type MakeContender = (databaseUrl: string, receiverUrl: string) => Promise<Contender>

export const benchSecret = "whsec_c2VncmVkby1kYS1tZWRpY2FvLWNvbS0zMi1ieXRlcyE="
