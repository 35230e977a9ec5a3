module.exports = require("../dist/exchange/index.js")
