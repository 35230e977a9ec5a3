const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether it is a UUID, in any case and of any version. */
export const isUuid = (text: string): boolean => typeof text === "string" && uuid.test(text)
