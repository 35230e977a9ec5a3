module.exports = require("../dist/breaker/index.js")
