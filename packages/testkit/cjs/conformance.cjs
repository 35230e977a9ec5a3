module.exports = require("../dist/conformance/index.js")
