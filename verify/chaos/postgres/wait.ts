/** Waits for so many real milliseconds. */
export const wait = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms))
