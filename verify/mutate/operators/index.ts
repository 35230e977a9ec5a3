import { effectOperators } from "./effects.ts"
import { expressionOperators } from "./expressions.ts"
import { literalOperators } from "./literals.ts"
import { lookUpOperators } from "./lookUps.ts"
import { methodOperators } from "./methods.ts"
import type { Operator } from "./Operator.ts"
import { regexOperators } from "./regexes.ts"
import { sqlOperators } from "./sql.ts"

/** Every kind of fault. */
export const operators: ReadonlyArray<Operator> = [
  ...expressionOperators,
  ...literalOperators,
  ...methodOperators,
  ...effectOperators,
  ...regexOperators,
  ...sqlOperators,
  ...lookUpOperators,
]
