import { type RouteName, routes } from "../wire/routes.ts"
import { exampleIds, failureExamples, requestExamples, successExamples } from "./apiExamples.ts"
import { headerTexts, operationTexts, parameterTexts, statusTexts, successTexts } from "./apiTexts.ts"
import type { Failure } from "../wire/messages.ts"

type Json = Readonly<Record<string, unknown>>

const jsonType = "application/json"

const wrapValues = (values: Readonly<Record<string, object>>): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

const describeContent = (response: Json, examples: Json): Json => {
  const media = (response["content"] as Readonly<Record<string, Json>>)[jsonType]
  return { [jsonType]: { ...media, examples } }
}

const describeHeader = (name: keyof typeof headerTexts, schema: Json) => ({
  [name]: { description: headerTexts[name], required: true, schema },
})

const listMethods = (name: RouteName): string =>
  Object.values(routes)
    .filter(({ path }) => path === routes[name].path)
    .map(({ method }) => method)
    .join(", ")

const describeFailureHeaders = (name: RouteName, status: number, codes: ReadonlyArray<string>): Json => ({
  ...describeHeader("Pix-Erro", { type: "string", enum: codes }),
  ...((status === 429 || status === 503) && describeHeader("Retry-After", { type: "integer", minimum: 1 })),
  ...(status === 401 && describeHeader("WWW-Authenticate", { const: "Bearer" })),
  ...(status === 405 && describeHeader("Allow", { const: listMethods(name) })),
})

const describeFailure = (name: RouteName, status: number, failures: ReadonlyArray<Failure>, response: Json): Json => {
  const examples = failures.map(({ code, text }) => [code, { value: { sucesso: false, errors: text } }])
  return {
    description: statusTexts[status],
    headers: describeFailureHeaders(
      name,
      status,
      failures.map(({ code }) => code),
    ),
    content: describeContent(response, Object.fromEntries(examples)),
  }
}

const describeResponse = (name: RouteName, status: number, response: Json): Json => {
  const successes = successExamples[name][status]
  if (successes === undefined) {
    const failures = failureExamples[name].filter((failure) => failure.status === status)
    return describeFailure(name, status, failures, response)
  }
  return { description: successTexts[name][status], content: describeContent(response, wrapValues(successes)) }
}

const describeParameter = (parameter: Json): Json => {
  const name = parameter["name"] as keyof typeof parameterTexts
  return {
    ...parameter,
    description: parameterTexts[name],
    ...(name === "idFaturaPag" && { schema: { type: "string", format: "uuid" } }),
    example: exampleIds[name],
  }
}

export const describeOperation =
  (name: RouteName) =>
  (operation: Json): Json => {
    const bodies = requestExamples[name]
    const responses = Object.entries(operation["responses"] as Readonly<Record<string, Json>>)
    return {
      ...operation,
      ...operationTexts[name],
      parameters: (operation["parameters"] as ReadonlyArray<Json>).map(describeParameter),
      ...(bodies !== undefined && {
        requestBody: { required: true, content: describeContent(operation["requestBody"] as Json, wrapValues(bodies)) },
      }),
      responses: Object.fromEntries(
        responses.map(([status, response]) => [status, describeResponse(name, Number(status), response)]),
      ),
    }
  }
