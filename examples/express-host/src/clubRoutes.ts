import { isPixError, type PlainRecurrence, type SandboxPix } from "@pixcharge/embed"
import { type Request, type Response, Router } from "express"
import { clubPage, memberPage } from "./clubPages.ts"

/** A coffee each month, by Pix Automático: the payer authorises once, and each month is charged by itself. */
const terms = { title: "Clube do café", period: "monthly", amountCents: 3_590 } as const

/** The first charge is made ten days before it is due. */
const startsAfterMs = 14 * 86_400_000

/** The club's routes. pixcharge keeps its members: everyone with a membership's address can see it. */
export const clubRoutes = (pix: SandboxPix, cnpj: string): Router => {
  const routes = Router()

  /** Passes the recurrence of `:id` to a route, or answers 404. */
  const withMember =
    (answer: (member: PlainRecurrence, response: Response) => Promise<void>) =>
    async ({ params: { id } }: Request<{ id: string }>, response: Response): Promise<void> => {
      const member = await pix.recurrences.find(cnpj, id).catch((error: unknown) => {
        if (isPixError(error, "RecurrenceNotFound") || isPixError(error, "InvalidRecurrenceId")) return undefined
        throw error
      })
      if (member === undefined) return void response.status(404).json({ error: "no such membership" })
      await answer(member, response)
    }

  routes.get("/club", (_request, response) => void response.send(clubPage(terms.amountCents)))

  // The form has the id, so a form that is sent twice makes one membership.
  routes.post("/club", async (request, response) => {
    const { id, name, taxId } = request.body ?? {}
    const startDate = new Date(pix.clock.now() + startsAfterMs).toISOString().slice(0, 10)
    try {
      await pix.recurrences.offer(cnpj, {
        ...terms,
        id,
        payer: { name, taxId },
        startDate,
        // After a failed debit, pixcharge asks again by itself, these days after the due date.
        retries: "threeInSeven",
        retryOn: [1, 3, 6],
        journey: { by: "code" },
      })
    } catch (error) {
      if (!isPixError(error, "InvalidRecurrenceRequest")) throw error
      return void response.status(422).send(clubPage(terms.amountCents, "Confira o nome e o CPF."))
    }
    response.redirect(303, `/club/${id}`)
  })

  routes.get(
    "/club/:id",
    withMember(async (member, response) => {
      const { items } = await pix.recurrences.charges(cnpj, member.id)
      response.send(memberPage(member, items, await pix.checkout.recurrenceLink(cnpj, member.id)))
    }),
  )

  // Skips the next two months without a charge. They are never caught up.
  routes.post(
    "/club/:id/pause",
    withMember(async ({ id, nextCycle }, response) => {
      await pix.recurrences.skip(cnpj, id, { cycles: [nextCycle, nextCycle + 1] })
      response.redirect(303, `/club/${id}`)
    }),
  )

  return routes
}
