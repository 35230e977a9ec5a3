module.exports = require("../dist/pglite/index.js")
