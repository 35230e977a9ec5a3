export type { ClientOptions, Identity } from "./ClientOptions.ts"
export { createClient } from "./createClient.ts"
export type {
  CallOptions,
  ChargeRequest,
  ChargeStatus,
  IssuedCharge,
  Payment,
  PixClient,
  Refund,
  UnpaidState,
  WaitOptions,
} from "./PixClient.ts"
export { PixClientError } from "./PixClientError.ts"
export type { ErrorCode } from "./bodies.ts"
