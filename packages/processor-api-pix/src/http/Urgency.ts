/** What a call is made for, the most urgent first. */
export const urgencies = ["issue", "refund", "notice", "check", "stray"] as const
export type Urgency = (typeof urgencies)[number]
