// @ts-ignore -- an ES module, which Node loads by `require` too
export * from "../dist/fixtures/index.js"
