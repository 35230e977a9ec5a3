import type {
  CancelledCharge,
  Charge,
  ChargeRequestInput,
  IssuedCharge,
  PaymentNotice,
  RefundedCharge,
  RefundingCharge,
} from "@pixcharge/core"
import type { Responder } from "@pixcharge/http"
import type * as Duration from "effect/Duration"

/**
 * pixcharge for a plain host. Every promise rejects with a tagged error: `error._tag` is the stable code, its fields carry
 * the facts. Issuers are CNPJs and ids UUIDs, as text.
 */
export interface Pix extends Responder, AsyncDisposable {
  /** Issues a charge, or finds the one that the same request issued before: repeat it as often as you like. */
  readonly issue: (issuer: string, request: ChargeRequestInput) => Promise<IssuedCharge>
  readonly find: (issuer: string, id: string) => Promise<Charge>
  /** Takes an unpaid charge away from its payer. */
  readonly cancel: (issuer: string, id: string) => Promise<CancelledCharge>
  /** Returns the full amount of a paid charge. */
  readonly refund: (issuer: string, id: string) => Promise<RefundedCharge | RefundingCharge>
  /** Records a payment that the host learned of itself, and settles its charge with it. */
  readonly confirmPayment: (notice: PaymentNotice) => Promise<Charge>
  /** Answers a web `Request`; what is none of the routes is a 404 in the error shape. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Ends everything that runs in the background; what is being sent is finished first. */
  readonly dispose: () => Promise<void>
}

/** The sandbox's two additions. */
export interface SandboxPix extends Pix {
  /** Plays the payer. */
  readonly simulatePayment: (issuer: string, id: string) => Promise<Charge>
  readonly clock: {
    /** Moves business time forward: `await pix.clock.advance("3 days")`. Tokens don't age by it. */
    readonly advance: (by: Duration.Input) => Promise<void>
  }
}
