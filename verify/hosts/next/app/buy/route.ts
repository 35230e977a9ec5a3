import { randomUUID } from "node:crypto"
import { cnpj, pix } from "../../lib/pix"

export const GET = async () => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  return Response.redirect(await pix.checkout.link(cnpj, id), 302)
}
