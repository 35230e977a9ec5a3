import { describe, expect, it } from "vitest"
import { routeOf } from "../src/routes.ts"

const id = "3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"

describe("routeOf", () => {
  it.each([
    ["GET", "/api/token/abc=", { _tag: "Token", secretPath: "abc=" }],
    ["GET", "/api/token/a/b//c?x=1", { _tag: "Token", secretPath: "a/b//c" }],
    ["GET", "/api/token/", { _tag: "Token", secretPath: "" }],
    ["POST", "/api/pix", { _tag: "Issue" }],
    ["POST", "/api/pix/", { _tag: "Issue" }],
    ["POST", "/api/pix?x=/api/pix/1", { _tag: "Issue" }],
    ["GET", `/api/pix/${id}`, { _tag: "Status", id }],
    ["GET", `/api/pix/${id.replaceAll("-", "%2D")}`, { _tag: "Status", id }],
    ["GET", "/api/pix/%E0%A4%A", { _tag: "Status", id: "%E0%A4%A" }],
    ["GET", `/api/pix/${id}/`, { _tag: "Status", id }],
    ["DELETE", `/api/pix/${id}`, { _tag: "Refund", id }],
    ["POST", `/api/pix/simular-pagamento/${id}`, { _tag: "Simulate", id }],
    ["PUT", `/api/pix/${id}`, { _tag: "WrongMethod", allow: "GET, DELETE" }],
    ["toString", "/api/pix", { _tag: "WrongMethod", allow: "POST" }],
    ["GET", "/api/pix/simular-pagamento/x", { _tag: "WrongMethod", allow: "POST" }],
    ["GET", "/api/pix/a/b", { _tag: "Unknown" }],
    ["GET", "/api/pixel", { _tag: "Unknown" }],
    ["GET", "/API/PIX/x", { _tag: "Unknown" }],
    ["GET", "/api/token", { _tag: "Unknown" }],
    ["GET", "/", { _tag: "Unknown" }],
    ["GET", "", { _tag: "Unknown" }],
    ["OPTIONS", "/api/pix", { _tag: "Unknown" }],
  ])("%s %s", (method, url, route) => {
    expect(routeOf(method, url)).toEqual(route)
  })
})
