import { PixApi } from "@pixcharge/http/contract"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { HttpApi } from "effect/http-api"
import type { Answer } from "./HttpClient.ts"

export type Declared = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

const readDeclared = () => {
  const declared = new Map<string, Readonly<Record<"successes" | "errors", Declared>>>()
  HttpApi.reflect(PixApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, successes, errors }) =>
      void declared.set(`${endpoint.method} ${endpoint.path}`, { successes, errors }),
  })
  return declared
}

/** The declared answers of each endpoint, by `METHOD /path/:parameter`. */
export const declaredAnswers: ReadonlyMap<string, Readonly<Record<"successes" | "errors", Declared>>> = readDeclared()

/** Whether the body exactly matches a schema that is declared for its status. */
export const isDeclared = (schemas: Declared | undefined, { status, json }: Pick<Answer, "status" | "json">): boolean =>
  (schemas?.get(status) ?? []).some((schema) =>
    Result.isSuccess(Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)(json, { onExcessProperty: "error" })),
  )
