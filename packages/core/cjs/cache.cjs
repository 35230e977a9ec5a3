module.exports = require("../dist/cache/index.js")
