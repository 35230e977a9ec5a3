import { actAtBank, nthPayment } from "./bank/bankActions.ts"
import type { Action, Step } from "./Action.ts"
import { shortName } from "./judge/names.ts"
import { chargeId, chargeIssuer, chargeTxidAt, endpointIds } from "./names.ts"
import type { Simulation } from "./Simulation.ts"

const rejectReturns = ({ bank, world, rejectsUntil }: Simulation, n: number, ms: number): void => {
  const payment = nthPayment(bank.ledger, n)
  if (payment !== undefined) rejectsUntil.set(payment.endToEndId, world.now + ms)
}

const changeAtBank = (
  { bank, judge, world }: Simulation,
  action: Extract<Action, { readonly do: "changeAtBank" }>,
): void => {
  const { charge, amountCents } = action
  judge.terms.change({ issuer: chargeIssuer(charge), id: chargeId(charge) }, { amountCents })
  world.note("bank", `is asked in its portal to change ${shortName(chargeTxidAt(charge))} to ${amountCents} cents`)
  actAtBank(bank, action)
}

export const takeStep = (simulation: Simulation, { host: place, action }: Step): void => {
  const { bank, receivers, clients, hosts } = simulation
  switch (action.do) {
    case "pay":
    case "payKey":
    case "remove":
    case "returnOutside":
    case "block":
      return actAtBank(bank, action)
    case "reject":
      return rejectReturns(simulation, action.payment, action.ms)
    case "changeAtBank":
      return changeAtBank(simulation, action)
    case "receiverDown":
      return receivers.goDown(endpointIds[action.endpoint] ?? "", action.ms, action.status)
    case "setBack":
      return simulation.setBack(action.ms)
    case "swapKeys":
      return simulation.swapKeys(action.company, action.other)
    case "registerFees":
      return simulation.registerFees(action.company, action.revision)
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
