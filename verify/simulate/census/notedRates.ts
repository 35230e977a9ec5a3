/**
 * In how many runs of a thousand each state was reached, as `pnpm simulate --census` counts. A run of 1 000 seeds or more
 * fails where a state falls below half its rate. A rate is lowered only with the reason beside it.
 */
export const notedRates: Readonly<Record<string, number>> = {
  "a process dies": 700,
  "a charge is Pending": 650,
  "a receiver gets expired": 650,
  "the bank has a return of kind dispute returned": 300,
  "the bank has a return of kind outside returned": 300,
  "a company registers another key": 200,
  "a company registers other fees": 200,
  "the store is set back": 300,
  "a return of kind dispute comes after 3 days": 35,
  "a return of kind outside comes after 3 days": 40,
  "pause ends with undefined": 35,
}
