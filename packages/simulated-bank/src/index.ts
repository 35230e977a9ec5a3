export { Bank, type BankOrder, type ChargeAnswer, type PaymentQuery, type Paying } from "./ledger/Bank.ts"
export type { BankChance, ReturnFate } from "./ledger/BankChance.ts"
export type { BankFault, BankFaults, FaultedCall } from "./server/BankFaults.ts"
export {
  type BankAccount,
  type BankOptions,
  type BankWays,
  type PublishedWays,
  standardWays,
  type TokenWays,
  type Wanted,
} from "./BankOptions.ts"
export type { BankRequest, Caller } from "./wire/BankRequest.ts"
export type { BankExchange } from "./server/BankServer.ts"
export { bankWays } from "./ways/bankWays.ts"
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
} from "./ledger/Ledger.ts"
export { type BankHandler, type BankReply, makeHandler, type SentRequest } from "./server/makeHandler.ts"
export type { BankAnswer } from "./wire/BankRequest.ts"
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
export type { BankRefusal } from "./ledger/Ledger.ts"
export type { ReturnAnswer, Returns } from "./ledger/Returns.ts"
export { type SimulatedBank, startSimulatedBank } from "./SimulatedBank.ts"
export type { SentNotice, WebhookCaller } from "./server/WebhookCaller.ts"
export * as reshaping from "./ways/reshaping.ts"
export { writeNotice } from "./server/WebhookCaller.ts"
