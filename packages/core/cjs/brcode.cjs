module.exports = require("../dist/brcode/index.js")
