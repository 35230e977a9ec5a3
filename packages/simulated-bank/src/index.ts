export { Bank, type BankOrder, type ChargeAnswer, type PaymentQuery, type Paying } from "./bank/Bank.ts"
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
} from "./wire/BankOptions.ts"
export type { BankAnswer, BankRequest, Caller } from "./wire/BankRequest.ts"
export type { BankExchange } from "./server/BankServer.ts"
export { bankWays } from "./ways/bankWays.ts"
export {
  type BankRefusal,
  type ChargeBody,
  chargeKey,
  type ChargeKind,
  chargePayments,
  type ChargeTerms,
  type Ledger,
  type LedgerCharge,
  type LedgerChargeLocation,
  type LedgerPayment,
  type LedgerReturn,
  type LedgerWebhook,
  type RequestedReturn,
  returningCents,
  type ReturnOrder,
} from "./ledger/Ledger.ts"
export { type BankHandler, type BankReply, makeHandler, type SentRequest } from "./server/makeHandler.ts"
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
} from "./ledger/RecurringLedger.ts"
export type { ReturnAnswer, Returns } from "./bank/Returns.ts"
export { type SimulatedBank, startSimulatedBank } from "./SimulatedBank.ts"
export { type SentNotice, type WebhookCaller, writeNotice } from "./server/WebhookCaller.ts"
export * as reshaping from "./ways/reshaping.ts"
