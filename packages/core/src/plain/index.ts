export type { BrCodeReading, DecodedBrCode } from "../brcode/decodeBrCode.ts"
export { fitMerchant } from "../brcode/fitMerchant.ts"
export { InvalidBrCode } from "../brcode/InvalidBrCode.ts"
export { InvalidPixKey, type PixKey, type PixKeyKind } from "../brcode/PixKey.ts"
export { InvalidLocalDate } from "../calendar/LocalDate.ts"
export { InvalidChargeId } from "../charges/rules/ChargeId.ts"
export type { Expiry } from "../charges/rules/Expiry.ts"
export type { AmountDue } from "../charges/rules/LateFees.ts"
export { type FeesInput, InvalidFees } from "../money/Fees.ts"
export { InvalidAmount } from "../money/Money.ts"
export { isValidCnpj } from "../party/Cnpj.ts"
export { isValidCpf } from "../party/Cpf.ts"
export { InvalidTaxId } from "../party/InvalidTaxId.ts"
export { InvalidOption } from "../runtime/options/InvalidOption.ts"
export { normalizeTaxId } from "../party/TaxId.ts"
export type { RecurrencePeriod } from "../recurrence/cycles/cycles.ts"
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
  chargeTxid,
  checkReductions,
  type DueCharge,
  type ImmediateCharge,
  parseChargeId,
  parseFees,
  type PlainAmountTerms,
} from "./charges.ts"
export { decodeBrCode, encodeBrCode, parsePixKey, type PlainBrCode } from "./codes.ts"
export { maskTaxId, parseCnpj, parseCpf, parseTaxId } from "./documents.ts"
export { centsFromDecimal, centsFromReais, decimalFromCents, formatBrl, reaisFromCents } from "./money.ts"
export {
  askableUntil,
  cycleEnd,
  cycleSchedule,
  cycleStart,
  findCycle,
  type PlainCycleSchedule,
  type PlainCycleTerms,
} from "./recurrence.ts"
export type { Outcome, Rule } from "./Rule.ts"
