module.exports = require("../dist/contract/index.js")
