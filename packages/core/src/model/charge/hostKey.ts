const form = /^[\x21-\x7e]{1,100}$/

export const keyRule = "must have 1 to 100 visible ASCII characters and no space, like a UUID"

/** Whether the text can be a host's own name of a change or a partial refund. */
export const isHostKey = (key: unknown): boolean => typeof key === "string" && form.test(key)
