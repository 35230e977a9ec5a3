module.exports = require("../dist/fixtures/index.js")
