module.exports = require("../dist/party/index.js")
