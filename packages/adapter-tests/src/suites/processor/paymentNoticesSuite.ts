import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { it } from "../itEffect.ts"

export interface NoticedCharge {
  /** Pays the charge, as a payer does; returns the processor's notice as the body of a POST. */
  readonly pay: () => string
  /** A forged notice of a payment that was not made. */
  readonly forge: () => string
  /** The charge's `_tag` in our books. */
  readonly state: () => Promise<string>
  /** The number of the charge's payments in our books. */
  readonly payments: () => Promise<number>
}

/** A processor's inbound route under test, mounted as a host mounts it. */
export interface NoticesUnderTest {
  /** The processor's webhook: the port's `path` or a path below it. */
  readonly path: string
  /** A path below the port's `path` that doesn't authenticate its caller. */
  readonly strangersPath: string
  /** Sends a request to a path of the mount; returns its status. */
  readonly send: (path: string, body: string, method?: string) => Promise<number>
  /** Issues a charge of one of our companies. */
  readonly issue: () => Promise<NoticedCharge>
  /** Makes the processor unavailable until the returned function is called. */
  readonly stopAnswering: () => () => void
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Tests of any processor's inbound route: it records a payment once, and confirms every notice with the processor. */
export const paymentNoticesSuite = (
  name: string,
  open: Effect.Effect<NoticesUnderTest, unknown, Scope.Scope>,
): void => {
  const test = (title: string, body: (route: NoticesUnderTest) => Promise<void>) =>
    it.live(title, () => Effect.flatMap(open, (route) => Effect.promise(() => body(route))))

  describe(`PaymentNotices: ${name}`, () => {
    test("has an absolute and plain path, which works in any mount", async ({ path }) => {
      expect(path).toMatch(/^(\/[\w.-]+)+$/)
    })

    test("accepts a notice only after its payment has settled the charge", async ({ path, send, issue }) => {
      const charge = await issue()
      const notice = charge.pay()
      expect(await charge.state()).toBe("Pending")
      expect(isSuccess(await send(path, notice))).toBe(true)
      expect(await charge.state()).toBe("Paid")
    })

    test("accepts repeated and concurrent copies of a notice without further changes", async ({
      path,
      send,
      issue,
    }) => {
      const charge = await issue()
      const notice = charge.pay()
      const statuses = await Promise.all(Array.from({ length: 8 }, () => send(path, notice)))
      expect(statuses.every(isSuccess)).toBe(true)
      expect(await charge.state()).toBe("Paid")
      expect(await charge.payments()).toBe(1)
    })

    test("answers 404 to a true notice at a path that doesn't authenticate its sender", async (route) => {
      const charge = await route.issue()
      expect(await route.send(route.strangersPath, charge.pay())).toBe(404)
      expect(await charge.state()).toBe("Pending")
    })

    test("ignores a forged notice", async ({ path, send, issue }) => {
      const charge = await issue()
      await send(path, charge.forge())
      expect(await charge.state()).toBe("Pending")
      expect(await charge.payments()).toBe(0)
    })

    test("refuses a notice while the processor is unavailable, and accepts it later", async (route) => {
      const charge = await route.issue()
      const notice = charge.pay()
      const answerAgain = route.stopAnswering()
      expect(await route.send(route.path, notice)).toBeGreaterThanOrEqual(500)
      expect(await charge.state()).toBe("Pending")
      answerAgain()
      expect(isSuccess(await route.send(route.path, notice))).toBe(true)
      expect(await charge.state()).toBe("Paid")
    })

    test("refuses an unreadable notice as the sender's fault, and accepts the following ones", async ({
      path,
      send,
      issue,
    }) => {
      for (const body of ["", "{", "[]", "null", '{"pix":7}', "\u0000"]) {
        const status = await send(path, body)
        expect(status, body).toBeLessThan(500)
      }
      const charge = await issue()
      expect(isSuccess(await send(path, charge.pay()))).toBe(true)
    })

    test("refuses a PUT, a PATCH and a DELETE", async ({ path, send }) => {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        expect(isSuccess(await send(path, "", method)), method).toBe(false)
      }
    })

    test("ignores a GET of its path, because some processors probe it before registration", async ({
      path,
      send,
      issue,
    }) => {
      const charge = await issue()
      charge.pay()
      await send(path, "", "GET")
      expect([await charge.state(), await charge.payments()]).toEqual(["Pending", 0])
    })
  })
}
