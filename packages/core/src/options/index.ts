export { InvalidOption } from "./InvalidOption.ts"
export { checkOptions, optionFlaw, type OptionRules } from "./optionFlaw.ts"
export {
  aFlag,
  aFunction,
  aListOf,
  anAdapter,
  anObject,
  aNumber,
  aText,
  hasMethods,
  oneOf,
  type OptionRule,
  required,
} from "./OptionRule.ts"
