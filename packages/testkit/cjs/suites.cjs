module.exports = require("../dist/suites/index.js")
