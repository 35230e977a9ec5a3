import type { Pix } from "@pixcharge/embed"
import { type Csrf, type Html, html, type PageRequest } from "@pixcharge/web"
import type { PortalCompany } from "./Access.ts"
import type { GrantedAccess } from "./checkAccess.ts"
import { companyName } from "./layout.ts"
import type { Seals } from "./makeSeals.ts"
import type { PortalRoute } from "./PortalRoute.ts"
import type { View } from "./View.ts"

/** The names of the hidden fields. */
export const tokenField = "token"
export const keyField = "key"

/** Whether a text is the key of an action: a UUID. */
export const isActionKey = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/** Who may send a form: a token is for one person and one company. */
export const formReader = (who: string, company: string): string => JSON.stringify([who, company])

/** Makes what a handler sees of an admitted request. */
export const makeView = (
  { pix, csrf, seals }: { readonly pix: Pix; readonly csrf: Csrf; readonly seals: Seals },
  { who, companies, rights }: GrantedAccess,
  company: PortalCompany,
  { section }: Pick<PortalRoute, "section">,
  request: PageRequest,
): View => {
  let made: Promise<string> | undefined
  const token = (): Html => {
    made ??= csrf.token(formReader(who, company.cnpj))
    return made.then((value) => html`<input type="hidden" name="${tokenField}" value="${value}" />`)
  }
  return {
    pix,
    as: pix.by(who),
    who,
    company: company.cnpj,
    companyName: companyName(company),
    companies,
    section,
    may: (right) => rights.has(right),
    now: pix.clock.now(),
    link: (path = "") => `${request.root}${company.cnpj}${path}`,
    seal: (text) => seals.seal({ who, company: company.cnpj }, text),
    unseal: (given) => seals.open({ who, company: company.cnpj }, given),
    token,
    formFields: (key = crypto.randomUUID()) =>
      html`${token()}<input type="hidden" name="${keyField}" value="${key}" />`,
    ...request,
  }
}
