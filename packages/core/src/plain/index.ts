export type { BrCodeReading, DecodedBrCode } from "../model/brcode/decodeBrCode.ts"
export { fitMerchant } from "../model/brcode/Fields.ts"
export { InvalidBrCode } from "../model/brcode/InvalidBrCode.ts"
export { InvalidPixKey, type PixKey, type PixKeyKind } from "../model/brcode/PixKey.ts"
export { InvalidLocalDate } from "../model/calendar/LocalDate.ts"
export { InvalidChargeId } from "../model/charge/ChargeId.ts"
export { InvalidChargeRequest } from "../model/charge/ChargeRequest.ts"
export type { Expiry } from "../model/charge/Expiry.ts"
export type { AmountDue } from "../model/charge/LateFees.ts"
export type { ChargeFeesInput } from "../model/charge/RequestedTerms.ts"
export { type FeesInput, InvalidFees } from "../model/money/Fees.ts"
export { InvalidAmount } from "../model/money/Money.ts"
export { isValidCnpj } from "../model/party/Cnpj.ts"
export { isValidCpf } from "../model/party/Cpf.ts"
export { InvalidTaxId } from "../model/party/InvalidTaxId.ts"
export { InvalidOption } from "../runtime/options.ts"
export { normalizeTaxId } from "../model/party/TaxId.ts"
export type { RecurrencePeriod } from "../model/cycle/cycles.ts"
export {
  addBusinessDays,
  addDays,
  brasiliaDate,
  brasiliaWallClock,
  businessDaysBetween,
  daysBetween,
  endOfBrasiliaDay,
  isBusinessDay,
  type NationalHoliday,
  nationalHolidays,
  nextBusinessDay,
  startOfBrasiliaDay,
} from "./calendar.ts"
export {
  amountDueOn,
  chargeExpiry,
  chargeFees,
  chargeTxid,
  checkReductions,
  type DueCharge,
  type ImmediateCharge,
  parseChargeId,
  parseFees,
  type PlainAmountTerms,
  type PlainFeesTerms,
} from "./charges.ts"
export { decodeBrCode, encodeBrCode, parsePixKey, type PlainBrCode } from "./codes.ts"
export {
  centsFromDecimal,
  centsFromReais,
  decimalFromCents,
  formatBrl,
  maskTaxId,
  parseCnpj,
  parseCpf,
  parseTaxId,
  reaisFromCents,
} from "./values.ts"
export {
  cycleEnd,
  cycleSchedule,
  cycleStart,
  findCycle,
  type PlainCycleSchedule,
  type PlainCycleTerms,
  requestableUntil,
} from "./recurrence.ts"
export type { Outcome, Rule } from "./Rule.ts"
