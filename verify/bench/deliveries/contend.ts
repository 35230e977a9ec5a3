import { serveOrders } from "../../world/index.ts"
import type { Contender, MakeContender } from "./Contender.ts"

const contenders = {
  ours: async () => (await import("./ours.ts")).ours,
  "pg-boss": async () => (await import("./pgBoss.ts")).pgBoss,
  "graphile-worker": async () => (await import("./graphileWorker.ts")).graphileWorker,
} satisfies Readonly<Record<string, () => Promise<MakeContender>>>

export type ContenderName = keyof typeof contenders

let contender: Contender

const orders = {
  open: async (name: ContenderName, databaseUrl: string, receiverUrl: string): Promise<void> => {
    contender = await (await contenders[name]())(databaseUrl, receiverUrl)
  },
  fill: async (count: number): Promise<void> => void (await contender.fill(count)),
  start: async (): Promise<void> => void (await contender.start()),
  countDelivered: () => contender.countDelivered(),
}

export type ContenderOrders = typeof orders

serveOrders(orders)
