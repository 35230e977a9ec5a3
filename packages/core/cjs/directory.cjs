module.exports = require("../dist/directory/index.js")
