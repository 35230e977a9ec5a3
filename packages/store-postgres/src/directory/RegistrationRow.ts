import type {
  CallbackInput,
  CompanyRegistration,
  Endpoint,
  RegisteredCompany,
  RegisteredEndpoint,
  ResellerRegistration,
} from "@pixcharge/core"
import type { EventKind } from "@pixcharge/core/charge"
import type { FeesInput } from "@pixcharge/core/money"
import { normalizeTaxId } from "@pixcharge/core/party"
import type { Row } from "../database/Database.ts"
import { isTrue, numberIn, textIn, textOr } from "../database/values.ts"
import { digestOf, type Seal } from "./keys.ts"

/** How keys and secrets are kept. */
export interface Keeping {
  readonly pepper: string
  readonly seal: Seal | undefined
}

/** Each CNPJ has one callback at most. */
export const endpointIdOf = (cnpj: string): string => `callback-${cnpj}`

const callbackColumns = (cnpj: string, callback: CallbackInput | undefined, seal: Seal | undefined) => {
  if (callback === undefined) return {}
  if (seal === undefined) throw new RangeError("postgresDirectory needs a sealingKey to keep callback secrets")
  const id = endpointIdOf(cnpj)
  return {
    endpoint_id: id,
    url: callback.url,
    sealed_secrets: seal.seal(JSON.stringify(callback.secrets), id),
    kinds: callback.kinds ?? ["paid"],
  }
}

const keyColumn = (pepper: string, integratorKey: string | undefined) =>
  integratorKey === undefined ? {} : { hmac: digestOf(pepper, integratorKey) }

/** A reseller's registration as it is stored. */
export const resellerRowOf = (
  {
    cnpj: written,
    name,
    walletActive = true,
    integratorKey,
    callback,
  }: Partial<ResellerRegistration> & {
    readonly cnpj: string
  },
  { pepper, seal }: Keeping,
) => {
  const cnpj = normalizeTaxId(written)
  return {
    cnpj,
    name: name?.trim(),
    wallet_active: walletActive,
    ...keyColumn(pepper, integratorKey),
    ...callbackColumns(cnpj, callback, seal),
  }
}

/** A company's registration as it is stored. */
export const companyRowOf = (company: CompanyRegistration, { pepper, seal }: Keeping) => {
  const cnpj = normalizeTaxId(company.cnpj)
  const { walletActive = true, ownBankDomicile = true, associated = true, reseller } = company
  return {
    cnpj,
    name: company.name.trim(),
    city: company.city.trim(),
    pix_key: company.pixKey,
    wallet_active: walletActive,
    own_bank_domicile: ownBankDomicile,
    grace_days: company.graceDays,
    fees: company.fees,
    generic_payer: company.genericPayer,
    local_holidays: company.localHolidays,
    reseller: reseller === undefined ? undefined : normalizeTaxId(reseller),
    associated,
    ...keyColumn(pepper, company.integratorKey),
    ...callbackColumns(cnpj, company.callback, seal),
  }
}

const parsed = <A>(row: Row, column: string): A | undefined => {
  const text = textOr(row[column])
  return text === undefined ? undefined : (JSON.parse(text) as A)
}

/** A company as the directory's rules read it. */
export const registeredCompanyOf = (row: Row): RegisteredCompany => {
  const fees = parsed<FeesInput>(row, "fees")
  const genericPayer = parsed<{ name: string; taxId: string }>(row, "generic_payer")
  const localHolidays = parsed<ReadonlyArray<string>>(row, "local_holidays")
  const hmac = textOr(row["key_hmac"])
  const key = hmac !== undefined && { integratorKey: { hmac, version: numberIn(row, "key_version") } }
  const reseller = textOr(row["reseller_cnpj"])
  return {
    cnpj: textIn(row, "cnpj"),
    name: textIn(row, "name"),
    city: textIn(row, "city"),
    pixKey: textIn(row, "pix_key"),
    graceDays: numberIn(row, "grace_days"),
    walletActive: isTrue(row["wallet_active"]),
    ownBankDomicile: isTrue(row["own_bank_domicile"]),
    ...(fees && { fees }),
    ...(genericPayer && { genericPayer }),
    ...(localHolidays && { localHolidays }),
    ...(reseller === undefined
      ? key
      : {
          reseller: {
            cnpj: reseller,
            name: textIn(row, "reseller_name"),
            walletActive: isTrue(row["reseller_wallet_active"]),
            associated: isTrue(row["associated"]),
            ...key,
          },
        }),
  }
}

/** An endpoint as the directory's rules read it; throws if its secrets can't be opened. */
export const registeredEndpointOf = (row: Row, seal: Seal | undefined): RegisteredEndpoint => {
  if (seal === undefined)
    throw new RangeError("postgresDirectory needs the sealingKey that the callbacks were kept with")
  const id = textIn(row, "id")
  return {
    id,
    url: textIn(row, "url"),
    secrets: JSON.parse(seal.open(textIn(row, "sealed_secrets"), id)) as ReadonlyArray<string>,
    kinds: JSON.parse(textIn(row, "kinds")) as ReadonlyArray<EventKind>,
    status: textIn(row, "status") as Endpoint["status"],
  }
}
