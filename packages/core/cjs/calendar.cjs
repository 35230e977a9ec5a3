module.exports = require("../dist/calendar/index.js")
