/** Longer ones are refused unread (docs/interface.md, Limits of a request). */
const longestToken = 2_048

/** The scheme's name in any case, and one blank or more (RFC 9110, 11.4). */
const bearer = /^bearer +([\w.-]+) *$/i

/** The token of an `Authorization: Bearer <token>` header, which has no other characters than those of a token. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization !== undefined && authorization.length <= longestToken + 7 ? bearer.exec(authorization)?.[1] : undefined
