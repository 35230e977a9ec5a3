import type { Bank } from "@pixcharge/simulated-bank"
import { actAtBank } from "./bank/bankActions.ts"
import { nthPayment } from "./bank/nthPayment.ts"
import type { Clients } from "./Clients.ts"
import type { Serving } from "./Host.ts"
import type { Action, Step } from "./Action.ts"
import { endpointIds } from "./names.ts"
import type { Receivers } from "./Receivers.ts"
import type { Actor } from "./World.ts"

export interface Participants {
  readonly bank: Bank
  readonly receivers: Receivers
  readonly clients: Clients
  readonly hosts: {
    readonly findServing: (place: number) => Serving | undefined
    readonly kill: (actor: Actor) => void
    readonly stop: (place: number) => void
    readonly suspend: (place: number, ms: number) => void
    readonly shiftClock: (place: number, to: number) => void
  }
  readonly rejectReturns: (endToEndId: string, ms: number) => void
  readonly setBack: (ms: number) => void
  readonly swapKeys: (company: number, other: number) => void
  readonly registerFees: (company: number, revision: number) => void
  readonly changeAtBank: (action: Extract<Action, { readonly do: "changeAtBank" }>) => void
}

export const takeStep = (participants: Participants, { host: place, action }: Step): void => {
  const { bank, receivers, clients, hosts, rejectReturns, setBack, swapKeys, registerFees } = participants
  switch (action.do) {
    case "pay":
    case "payKey":
    case "remove":
    case "returnOutside":
    case "block":
      return actAtBank(bank, action)
    case "reject": {
      const payment = nthPayment(bank.ledger, action.payment)
      return payment && rejectReturns(payment.endToEndId, action.ms)
    }
    case "changeAtBank":
      return participants.changeAtBank(action)
    case "receiverDown":
      return receivers.goDown(endpointIds[action.endpoint] ?? "", action.ms, action.status)
    case "setBack":
      return setBack(action.ms)
    case "swapKeys":
      return swapKeys(action.company, action.other)
    case "registerFees":
      return registerFees(action.company, action.revision)
    case "stop":
      return hosts.stop(place)
    case "shiftClock":
      return hosts.shiftClock(place, action.place)
    case "suspend":
      return hosts.suspend(place, action.ms)
  }
  const host = hosts.findServing(place)
  if (host === undefined) return
  if (action.do === "kill") hosts.kill(host.actor)
  else clients.act(host, action)
}
