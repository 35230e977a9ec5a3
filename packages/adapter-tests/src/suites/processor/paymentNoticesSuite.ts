import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { it } from "../itEffect.ts"

/** One charge at the processor. */
export interface NoticedCharge {
  /** The payer pays; the processor's notice of it as the body of a POST. */
  readonly pay: () => string
  /** A forged notice of a payment that was not made. */
  readonly forge: () => string
  /** The charge's `_tag` in our books. */
  readonly state: () => Promise<string>
  /** How many payments of the charge our books hold. */
  readonly payments: () => Promise<number>
}

/** A processor's inbound route under test, mounted as a host mounts it. */
export interface NoticesUnderTest {
  /** The processor's webhook: the port's `path` or a path below it. */
  readonly path: string
  /** A path below the port's that doesn't authenticate its caller. */
  readonly strangersPath: string
  /** Sends a request to a path of the mount; returns its status. */
  readonly send: (path: string, body: string, method?: string) => Promise<number>
  /** Issues a charge of a company of ours. */
  readonly issue: () => Promise<NoticedCharge>
  /** The processor doesn't answer until the returned function is called. */
  readonly stopAnswering: () => () => void
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** What any processor's inbound route must do: record a payment once, and confirm every notice with the processor. */
export const paymentNoticesSuite = (
  name: string,
  open: Effect.Effect<NoticesUnderTest, unknown, Scope.Scope>,
): void => {
  const test = (title: string, body: (route: NoticesUnderTest) => Promise<void>) =>
    it.live(title, () => Effect.flatMap(open, (route) => Effect.promise(() => body(route))))

  describe(`PaymentNotices: ${name}`, () => {
    test("its path is absolute and plain, so that it works in any mount", async ({ path }) => {
      expect(path).toMatch(/^(\/[\w.-]+)+$/)
    })

    test("a notice settles its charge, and is accepted only then", async ({ path, send, issue }) => {
      const charge = await issue()
      const notice = charge.pay()
      expect(await charge.state()).toBe("Pending")
      expect(isSuccess(await send(path, notice))).toBe(true)
      expect(await charge.state()).toBe("Paid")
    })

    test("a repeated notice, even many at once, is accepted and changes nothing", async ({ path, send, issue }) => {
      const charge = await issue()
      const notice = charge.pay()
      const statuses = await Promise.all(Array.from({ length: 8 }, () => send(path, notice)))
      expect(statuses.every(isSuccess)).toBe(true)
      expect(await charge.state()).toBe("Paid")
      expect(await charge.payments()).toBe(1)
    })

    test("a true notice at a path that doesn't authenticate its sender is not found", async (route) => {
      const charge = await route.issue()
      expect(await route.send(route.strangersPath, charge.pay())).toBe(404)
      expect(await charge.state()).toBe("Pending")
    })

    test("a forged notice moves no charge and records no payment", async ({ path, send, issue }) => {
      const charge = await issue()
      await send(path, charge.forge())
      expect(await charge.state()).toBe("Pending")
      expect(await charge.payments()).toBe(0)
    })

    test("while the processor is unavailable the notice is not accepted; sent again, it is", async (route) => {
      const charge = await route.issue()
      const notice = charge.pay()
      const answerAgain = route.stopAnswering()
      expect(await route.send(route.path, notice)).toBeGreaterThanOrEqual(500)
      expect(await charge.state()).toBe("Pending")
      answerAgain()
      expect(isSuccess(await route.send(route.path, notice))).toBe(true)
      expect(await charge.state()).toBe("Paid")
    })

    test("an unreadable notice is refused as the sender's fault, and the following ones are accepted", async ({
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

    test("another method is refused", async ({ path, send }) => {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        expect(isSuccess(await send(path, "", method)), method).toBe(false)
      }
    })

    test("a GET of its path, by which some processors probe it before registration, records nothing", async ({
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
