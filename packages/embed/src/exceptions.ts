import type { PaymentDesk } from "@pixcharge/core"
import type { Exceptions } from "./Pix.ts"
import { asCompany, type Run } from "./asCompany.ts"
import { pages } from "./pages.ts"

/** The operations on payments that settled no charge, for a plain host. */
export const makeExceptions = (service: PaymentDesk["Service"], run: Run): Exceptions => ({
  list: (issuer) => pages((page) => run(asCompany(issuer, (company) => service.exceptions(company, page)))),
  refund: (issuer, endToEndId) => run(asCompany(issuer, (company) => service.refundException(company, endToEndId))),
  resolve: (issuer, endToEndId, note) =>
    run(asCompany(issuer, (company) => service.resolveException(company, endToEndId, note))),
})
