module.exports = require("../dist/charge/index.js")
