import { InvalidOption } from "@pixcharge/core"

/** What is wrong with a form, and what to do, in a sentence that its page shows. */
export const formProblem = (message: string): InvalidOption => new InvalidOption({ message })
