export { brasiliaDate, brasiliaHour, brasiliaWallClock, endOfBrasiliaDay, startOfBrasiliaDay } from "./BrasiliaTime.ts"
export { addBusinessDays, businessDaysBetween, isBusinessDay, type KeptDays, nextBusinessDay } from "./BusinessDay.ts"
export { type Holidays, nationalBankHolidays, nationalHolidays, withHolidays } from "./Holidays.ts"
export {
  addDays,
  addYears,
  dayOfWeek,
  daysBetween,
  InvalidLocalDate,
  type LocalDate,
  parseLocalDate,
} from "./LocalDate.ts"
