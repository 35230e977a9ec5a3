export * from "./BrasiliaTime.ts"
export * from "./BusinessDay.ts"
export * from "./Holidays.ts"
export {
  addDays,
  addYears,
  dayOfMonthOf,
  daysBetween,
  InvalidLocalDate,
  type LocalDate,
  monthOf,
  parseLocalDate,
  weekdayOf,
  yearOf,
} from "./LocalDate.ts"
