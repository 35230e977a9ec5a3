import type { CallbackDelivery } from "@pixcharge/core"
import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { answerCases } from "./callbackDelivery/answerCases.ts"
import { expiredCertificate, misnamedCertificate, trustedCertificate } from "../fixtures/certificates.ts"
import { deliveryCases } from "./callbackDelivery/DeliveryDriver.ts"
import { faultCases } from "./callbackDelivery/faultCases.ts"

/** What a delivery under test needs for the suite's receivers: http and https on any port of 127.0.0.1. */
export interface DeliverySurroundings {
  /** Certificates of authorities (PEM) to trust besides the public ones. */
  readonly ca: ReadonlyArray<string>
}

/** What `CallbackDelivery` promises over HTTP, tested with receivers that answer correctly and fail in every way. */
export const callbackDeliverySuite = (
  name: string,
  layerFor: (surroundings: DeliverySurroundings) => Layer.Layer<CallbackDelivery, unknown>,
): void => {
  describe(`${name}: CallbackDelivery`, () => {
    const ca = [trustedCertificate, misnamedCertificate, expiredCertificate].map(({ cert }) => cert)
    const { test, slow } = deliveryCases(layerFor({ ca }))
    describe("answers", () => answerCases(test))
    describe("faults", () => faultCases(test, slow))
  })
}
