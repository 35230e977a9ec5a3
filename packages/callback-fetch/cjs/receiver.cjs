module.exports = require("../dist/receiver/index.js")
