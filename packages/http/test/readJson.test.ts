import type { Exchange } from "@pixcharge/core"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { readJson } from "../src/readJson.ts"
import { exchangeFailures } from "../src/wire/messages.ts"

const given = (type: string): Exchange => ({
  method: "POST",
  url: "/api/pix",
  fullUrl: "/api/pix",
  signal: new AbortController().signal,
  header: (name) => (name === "content-type" ? type : undefined),
  body: () => Promise.resolve({ _tag: "Text", text: "{}" }),
})

it.each([
  "",
  "application/json",
  " Application/JSON ; charset=utf-8",
  "application/problem+json",
  "application/a.b-c+json",
])("reads a body of the type %j", async (type) => {
  expect(await readJson(given(type))).toEqual(Result.succeed({}))
})

it.each([
  "text/json",
  "application/+json",
  "application/jsonp",
  "application/xjson",
  "xapplication/json",
  "text/plain",
])("rejects a body of the type %j", async (type) => {
  expect(await readJson(given(type))).toEqual(Result.fail(exchangeFailures.unsupportedMediaType))
})
