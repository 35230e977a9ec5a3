// @ts-ignore -- an ES module, which Node loads by `require` too
export * from "../dist/index.js"
