import * as Context from "effect/Context"
import { type Holidays, nationalBankHolidays, withHolidays } from "../calendar/Holidays.ts"
import type { Company } from "../party/Company.ts"

/** The closed days that count for a company's charges. By default the national bank holidays and the company's own. */
export const HolidayCalendar = Context.Reference<{ readonly forCompany: (company: Company) => Holidays }>(
  "@pixcharge/core/ports/HolidayCalendar",
  { defaultValue: () => ({ forCompany: companyHolidays }) },
)

const local = new WeakMap<ReadonlyArray<string>, Holidays>()

/** The national bank holidays together with the company's local ones. */
export const companyHolidays = ({ localHolidays }: Company): Holidays => {
  if (localHolidays === undefined || localHolidays.length === 0) return nationalBankHolidays
  const known = local.get(localHolidays)
  if (known !== undefined) return known
  const holidays = withHolidays(nationalBankHolidays, localHolidays)
  local.set(localHolidays, holidays)
  return holidays
}
