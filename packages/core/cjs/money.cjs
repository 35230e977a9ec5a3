module.exports = require("../dist/money/index.js")
