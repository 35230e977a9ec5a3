import { TaggedError } from "../error/TaggedError.ts"

/**
 * What was given to a function of the set-up can't be used: the message names the function, the option and the rule, and
 * never the value. Thrown at once, where the option is written.
 *
 * @remedy Correct the option that the message names.
 * @repeat No: with corrected options.
 */
export class InvalidOption extends TaggedError("InvalidOption")<{ readonly message: string }> {}
