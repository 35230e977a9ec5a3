/** Whether an answer of this status has a body and a length: a 204 and a 304 have neither (RFC 9110 §8.6). */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304
