import type { PaymentExceptions } from "@pixcharge/core"
import { asCompany, type Run } from "./asCompany.ts"
import { pages } from "./pages.ts"
import type { Exceptions } from "./Pix.ts"

/** Payments that settled no charge, for a plain host. */
export const makeExceptions = (exceptions: PaymentExceptions["Service"], run: Run): Exceptions => ({
  list: (issuer) => pages((page) => run(asCompany(issuer, (company) => exceptions.list(company, page)))),
  refund: (issuer, endToEndId) => run(asCompany(issuer, (company) => exceptions.refund(company, endToEndId))),
  resolve: (issuer, endToEndId, note) =>
    run(asCompany(issuer, (company) => exceptions.resolve(company, endToEndId, note))),
})
