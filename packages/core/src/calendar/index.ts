export * from "./BrasiliaTime.ts"
export * from "./BusinessDay.ts"
export * from "./Holidays.ts"
export {
  addDays,
  addYears,
  dateDay,
  daysBetween,
  InvalidLocalDate,
  type LocalDate,
  dateMonth,
  parseLocalDate,
  dayOfWeek,
  dateYear,
} from "./LocalDate.ts"
