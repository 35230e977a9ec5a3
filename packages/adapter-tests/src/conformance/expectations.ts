import { expect } from "vitest"
import type { Answer } from "./HttpClient.ts"

/** Expects the status, the closed error shape, the code in the header, and no caching. */
export const expectFailure = (answer: Answer, status: number, code: string): void => {
  expect({ status: answer.status, code: answer.headers["pix-erro"] }, answer.text).toEqual({ status, code })
  expect(Object.keys(answer.json ?? {}), answer.text).toEqual(["sucesso", "errors"])
  expect(answer.json.sucesso).toBe(false)
  expect(answer.json.errors).toMatch(/^[A-ZÀ-Úa-z].+\.$/)
  expectCommonHeaders(answer)
}

export const expectSuccess = (answer: Answer, status = 200): void => {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.json?.sucesso).toBe(true)
  expect(answer.headers["pix-erro"]).toBeUndefined()
  expectCommonHeaders(answer)
}

const expectCommonHeaders = (answer: Answer): void => {
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8")
  expect(answer.headers["cache-control"]).toBe("no-store")
  expect(answer.headers["x-content-type-options"]).toBe("nosniff")
}
