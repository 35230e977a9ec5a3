export { Bank, type BankOrder, type ChargeAnswer, type PaymentQuery, type Paying } from "./Bank.ts"
export type { BankChance, ReturnFate } from "./BankChance.ts"
export type { BankFault, BankFaults, FaultedCall } from "./BankFaults.ts"
export {
  type BankAccount,
  type BankOptions,
  type BankWays,
  type PublishedWays,
  standardWays,
  type TokenWays,
  type Wanted,
} from "./BankOptions.ts"
export type { BankRequest, Caller } from "./BankRequest.ts"
export type { BankExchange } from "./BankServer.ts"
export { bankWays } from "./bankWays.ts"
export {
  type RequestedReturn,
  type ChargeBody,
  type ChargeKind,
  chargeKey,
  chargePayments,
  type ChargeTerms,
  type Ledger,
  type LedgerCharge,
  type LedgerChargeLocation,
  type LedgerPayment,
  type LedgerReturn,
  type LedgerWebhook,
  type ReturnOrder,
  returningCents,
} from "./Ledger.ts"
export { type BankHandler, type BankReply, makeHandler, type SentRequest } from "./makeHandler.ts"
export type { BankAnswer } from "./problems.ts"
export type { Approving, Recurring } from "./recurring/Recurring.ts"
export type {
  CycleStatus,
  Debit,
  Ender,
  Ending,
  Journey,
  LedgerAttempt,
  LedgerCycle,
  LedgerLocation,
  LedgerRec,
  LedgerRequest,
  NoticeKind,
  RecStatus,
  RecurringLedger,
} from "./recurring/RecurringLedger.ts"
export type { BankRefusal } from "./refuse.ts"
export type { ReturnAnswer, Returns } from "./Returns.ts"
export { type SimulatedBank, startSimulatedBank } from "./SimulatedBank.ts"
export type { SentNotice, WebhookCaller } from "./WebhookCaller.ts"
export * as reshaping from "./ways/reshaping.ts"
export { writeNotice } from "./writeNotice.ts"
