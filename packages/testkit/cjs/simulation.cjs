module.exports = require("../dist/simulation/index.js")
