import { describe, expect, it } from "vitest"
import { makeRouter } from "../src/makeRouter.ts"

const id = "3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"

const route = (name: string, parameter = "") => ({ _tag: "Route", name, parameter })
const wrongMethod = (allow: string) => ({ _tag: "WrongMethod", allow })

const ambiguous = { _tag: "Ambiguous" }

describe("the router", () => {
  it.each([
    ["GET", "/api/token/abc=", route("token", "abc=")],
    ["GET", "/api/token/a/b//c?x=1", route("token", "a/b//c")],
    ["GET", "/api/token/abc=?x=1?y", route("token", "abc=")],
    ["GET", "/api/token/?x=1", route("token", "")],
    ["GET", "/api/token/", route("token", "")],
    ["POST", "/api/pix", route("issue")],
    ["POST", "/api/pix/", route("issue")],
    ["POST", "/api/pix?x=/api/pix/1", route("issue")],
    ["GET", `/api/pix/${id}`, route("status", id)],
    ["GET", `/api/pix/${id.replaceAll("-", "%2D")}`, route("status", id)],
    ["GET", "/api/pix/%E0%A4%A", route("status", "%E0%A4%A")],
    ["GET", `/api/pix/${id}/`, route("status", id)],
    ["GET", `/api/pix/${id}?x=1`, route("status", id)],
    ["GET", `/api/pix/${id}/?x=/y`, route("status", id)],
    ["DELETE", `/api/pix/${id}`, route("refund", id)],
    ["POST", `/api/pix/simular-pagamento/${id}`, route("simulate", id)],
    ["PUT", `/api/pix/${id}`, wrongMethod("GET, DELETE")],
    ["toString", "/api/pix", wrongMethod("POST")],
    ["GET", "/api/pix/simular-pagamento/x", wrongMethod("POST")],
    ["GET", "/api/pix/a/b", undefined],
    ["GET", "/api/pixel", undefined],
    ["POST", "/api/pix%3Fx=1", undefined],
    ["GET", "/api/pix/?x=1", wrongMethod("POST")],
    ["GET", "/x/api/pix/1", undefined],
    ["GET", "?/api/pix/1", undefined],
    ["GET", "/API/PIX/x", ambiguous],
    ["GET", "/API/token/x", ambiguous],
    ["POST", "/Api/Token", ambiguous],
    ["PUT", "/api/%50ix?x=1", ambiguous],
    ["GET", "/%41p%49/TOKE%4e/x", ambiguous],
    ["GET", "//API%2Ftoken/x", ambiguous],
    ["GET", "/API%5Ctoken/x", ambiguous],
    ["GET", "/API/tokens/x", undefined],
    ["GET", "/Outra?x=/api/pix", undefined],
    ["OPTIONS", "/API/token/x", undefined],
    ["POST", "/api/token", route("tokenByPost")],
    ["POST", "/api/token?x=1", route("tokenByPost")],
    ["GET", "/api/token", wrongMethod("POST")],
    ["POST", "/api/token/", wrongMethod("GET")],
    ["GET", "/api/tokens", undefined],
    ["GET", "/", undefined],
    ["GET", "", undefined],
    ["OPTIONS", "/api/pix", undefined],
    ["OPTIONS", "//api/pix", undefined],
    ["POST", "/%61pi/pi%78", route("issue")],
    ["GET", `/api/%70ix/${id}`, route("status", id)],
    ["GET", "/api/toke%6E/%61%2Fb//c", route("token", "%61%2Fb//c")],
    ["POST", "/api%2Fpix", ambiguous],
    ["GET", "/api%5ctoken/x", ambiguous],
    ["GET", "/x%2Fapi/token/x", undefined],
    ["POST", "https://shop.example/api/pix?x=1", route("issue")],
    ["POST", "HTTP://shop.example:3000/api/pix", route("issue")],
    ["POST", "http://shop.example?/api/pix", undefined],
    ["GET", "//api/pix/1", ambiguous],
    ["GET", "/api//token/x", ambiguous],
    ["GET", "/api/pix//1", ambiguous],
    ["POST", "http://shop.example//api/pix", ambiguous],
    ["GET", "/./api/x/../pix/1", ambiguous],
    ["GET", "/api/%2e/token/x", ambiguous],
    ["GET", "/api\\token/x", ambiguous],
    ["GET", "//outra", undefined],
    ["GET", "/outra?x=//api/pix", undefined],
    ["GET", "/.well-known/x", undefined],
  ])("matches %s %s as %o", (method, url, match) => {
    expect(makeRouter()(method, url)).toEqual(match)
    expect(makeRouter({ notices: "/webhooks/pix" })(method, url)).toEqual(match)
  })

  it.each([
    ["/webhooks/pix", ""],
    ["/webhooks/pix/", ""],
    ["//webhooks//pix?x=/y", ""],
    ["/webhooks/pix/pix", "/pix"],
    ["/%77ebhooks/p%69x/%70ix", "/%70ix"],
    ["//webhooks//pi%78?x=/y", ""],
    ["https://shop.example/webhooks/pix/pix?x", "/pix"],
    ["/webhooks/pix//12345678000195//pix/", "/12345678000195/pix"],
  ])("matches %s as a notice at or below its path, in any spelling", (url, below) => {
    for (const path of ["/webhooks/pix", "/webhooks/pix/", "//webhooks//pix"]) {
      for (const method of ["POST", "GET", "OPTIONS"]) {
        expect(makeRouter({ notices: path })(method, url)).toEqual({ _tag: "Notices", below })
      }
    }
    expect(makeRouter()("POST", url)).toBeUndefined()
  })

  it.each(["/./webhooks/pix", "/webhooks/x/../pix/a", "/webhooks%2Fpix/a", "/webhooks\\pix", "/WEBHOOKS/pix/a"])(
    "finds %s ambiguous, because it can hold the processor's secret",
    (url) => {
      for (const method of ["POST", "OPTIONS"])
        expect(makeRouter({ notices: "/webhooks/pix" })(method, url)).toEqual(ambiguous)
      expect(makeRouter()("POST", url)).toBeUndefined()
    },
  )

  it("finds the path of the OpenAPI document only if the document is served", () => {
    expect(makeRouter({ openApi: true })("GET", "/api/openapi.json")).toEqual({ _tag: "OpenApi" })
    expect(makeRouter({})("GET", "/api/openapi.json")).toBeUndefined()
  })

  it("matches the notices' path only with its capital letters", () => {
    expect(makeRouter({ notices: "/Webhooks/PIX" })("POST", "/Webhooks/PIX/a")).toEqual({
      _tag: "Notices",
      below: "/a",
    })
    expect(makeRouter({ notices: "/Webhooks/PIX" })("POST", "/webhooks/pix/a")).toEqual(ambiguous)
  })

  it.each(["/webhooks", "/webhooks/pixel", "/x/webhooks/pix", "/?/webhooks/pix", "", "/"])(
    "leaves %o to the host",
    (url) => {
      expect(makeRouter({ notices: "/webhooks/pix" })("POST", url)).toBeUndefined()
    },
  )

  it.each([
    ["GET", "/pagar", ""],
    ["GET", "/pagar/Cap-1", "/Cap-1"],
    ["POST", "/pagar/Cap-1/novo?x=/y", "/Cap-1/novo"],
    ["GET", "//p%61gar//Cap-1/", "/Cap-1"],
    ["PUT", "https://shop.example/pagar/assets/a.js", "/assets/a.js"],
    ["OPTIONS", "/pagar/Cap-1/estado", "/Cap-1/estado"],
  ])("matches %s %s as the payers' pages", (method, url, below) => {
    expect(makeRouter({ checkout: "/pagar" })(method, url)).toEqual({ _tag: "Checkout", below })
    expect(makeRouter()(method, url)).toBeUndefined()
  })

  it("leaves OPTIONS of payers' pages to the host, except for `/estado`", () => {
    for (const url of ["/pagar", "/pagar/Cap-1", "/pagar/Cap-1/novo", "/pagar/Cap-1/estado/x", "/pagar/estado"]) {
      expect(makeRouter({ checkout: "/pagar" })("OPTIONS", url)).toBeUndefined()
    }
  })

  it.each(["/PAGAR/Cap-1", "/./pagar/Cap-1", "/pagar%2FCap-1", "/x/../pagar/Cap-1", "/pagar\\Cap-1"])(
    "finds GET %s ambiguous, because it can hold a payer's link",
    (url) => {
      expect(makeRouter({ checkout: "/pagar" })("GET", url)).toEqual(ambiguous)
      expect(makeRouter()("GET", url)).toBeUndefined()
    },
  )

  it.each(["/pagare", "/x/pagar", "/?/pagar/x", "/"])(
    "leaves GET %s to the host if payers' pages are at /pagar",
    (url) => {
      expect(makeRouter({ checkout: "/pagar" })("GET", url)).toBeUndefined()
    },
  )
})
